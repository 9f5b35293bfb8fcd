// SPDX-License-Identifier: GPL-2.0-or-later
//
// A trace fitted to a cluster: whole nodes, segments, as many jobs and as much load as asked.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/segment_rule.hpp"
#include "replay/trace.hpp"

namespace nvl72block::replay {

struct Job {
    std::int64_t submit = 0;    ///< seconds
    std::int64_t duration = 0;  ///< seconds; also the time limit that backfill plans with
    std::uint32_t nodes = 0;
    std::uint32_t segment = 0;  ///< nodes per segment; 0: none

    /// More than one segment, and segments that can be torn apart.
    [[nodiscard]] bool has_segments() const { return segment > 1 && nodes >= segment; }
};

struct WorkloadOptions {
    std::uint32_t cluster_nodes = 0;  ///< nodes in service
    std::uint32_t gpus_per_node = 4;
    std::size_t jobs = 0;  ///< of the first trace; 0: as many as it has
    std::uint64_t seed = 1;
    double load = 0;  ///< work offered over what the cluster can do; 0: arrivals as recorded
    SegmentRule rule;
};

struct Workload {
    std::vector<Job> jobs;      ///< by submit time, the first at 0
    std::size_t too_large = 0;  ///< jobs of the traces that the cluster could never hold, left out
    std::vector<double> time_scale;  ///< factor on the recorded arrival times, for each trace
    double load = 0;  ///< work offered over what the cluster can do between the arrivals
};

/// Jobs of all `traces`, each with an equal share of the load. Of the first trace, fewer jobs than
/// it has are its first ones; for more it is repeated, each time with the jobs (size and duration
/// together) dealt out anew to the recorded arrival times by `seed`. The other traces are repeated
/// in the same way, already dealt out anew the first time, for as long as the first one lasts.
[[nodiscard]] Workload make_workload(const std::vector<std::vector<TraceJob>>& traces,
                                     const WorkloadOptions& options);

}  // namespace nvl72block::replay
