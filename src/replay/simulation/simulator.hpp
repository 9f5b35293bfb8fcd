// SPDX-License-Identifier: GPL-2.0-or-later
//
// Event by event: jobs queue first come first served, later ones start early where that delays no
// reservation (backfill), and a strategy chooses each job's nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "replay/simulation/run.hpp"
#include "replay/strategies/strategy.hpp"
#include "replay/workload/workload.hpp"

namespace nvl72block::replay {

struct SimulationOptions {
    NodeSet in_service;  ///< nodes that jobs may use at all
    /// Waiting jobs, from the head of the queue, that get a start time no later job may delay. 1 is
    /// EASY backfill; more approaches conservative backfill and takes longer.
    std::uint32_t reservations = 1;
    /// Waiting jobs looked at in one pass, as Slurm's bf_max_job_test.
    std::uint32_t backfill_window = 500;
    RunModel run;  ///< how long a job runs in its placement
};

/// What became of a job.
struct JobOutcome {
    bool refused = false;  ///< no placement even with every node free
    std::int64_t start = 0;
    Placement placement;
    Run run;
};

/// The cluster after the events of one moment.
struct Moment {
    std::int64_t time = 0;
    std::uint32_t busy_nodes = 0;
    double useful_nodes = 0;  ///< of these, each job's by the useful share of its run
    std::uint32_t waiting_jobs = 0;
    NodeSetView free;
};

/// Watches a simulation; both may be empty.
struct Observer {
    std::function<void(const Moment&)> moment;
    std::function<void(std::size_t started)> progress;
};

/// The outcome of each job, in the order of `jobs`, which are sorted by submit time.
[[nodiscard]] std::vector<JobOutcome> simulate(const Topology& topology,
                                               const std::vector<Job>& jobs, Strategy& strategy,
                                               const SimulationOptions& options,
                                               const Observer& observer);

}  // namespace nvl72block::replay
