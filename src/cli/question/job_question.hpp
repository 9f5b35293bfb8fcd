// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job of the cluster as a question to the engine: its request, and the nodes that it could get.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/question/availability.hpp"
#include "cli/question/occupancy.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

struct JobQuestion {
    const JobRecord* job = nullptr;
    Viewer viewer;
    Request request;  ///< `required` is set by complete()
    NodeSet required;
    /// Nodes of the partition that the job could use if they were idle and in service: it does not
    /// exclude them, and they have its features, CPUs, memory and GPUs.
    NodeSet suitable;
    NodeSet excluded;  ///< the other nodes of the partition
    std::vector<std::uint64_t> weight;
    /// As State::idle; without members where policy demand does not ask.
    NodeSet idle;
    std::vector<std::string> remarks;
    /// Parts of the request that are not considered: the job may not start where it seems to fit.
    std::vector<std::string> not_considered;
    /// What may let the job start where it seems not to fit.
    std::vector<std::string> not_counted;

    /// Whether it may use nodes that other jobs use as well.
    [[nodiscard]] bool shares() const;
};

/// What the job's own record asks for.
[[nodiscard]] Request request_of(const JobRecord& job);

/// Whether it cannot end before its --deadline then: Slurm cancels it.
[[nodiscard]] bool is_too_late(const JobQuestion& question, SlurmTime start);

/// In one of its partitions; nullptr: the first one that takes it. `segment_size` overrides what
/// the job's record says, 0 does not.
[[nodiscard]] JobQuestion job_question(const ClusterState& state, const JobRecord& job,
                                       std::uint32_t segment_size,
                                       const PartitionRecord* partition = nullptr);

/// What a job could get: the nodes, and the CPUs and GPUs that it would have of each.
struct Offer {
    NodeSet usable;
    std::vector<std::uint32_t> cpus, gpus;
};

/// What the job could get at `time`, from now on.
[[nodiscard]] Offer offer_at(const ClusterState& state, const Occupancy& occupancy,
                             const JobQuestion& question, const Viewer& viewer, SlurmTime time);

/// With these nodes, too, as if they were idle and in service.
[[nodiscard]] Offer with_idle(const ClusterState& state, const JobQuestion& question, Offer offer,
                              const NodeSet& nodes);

/// A request of the question, with the nodes that it requires by name.
[[nodiscard]] Request complete(const JobQuestion& question, Request request);

/// The question's nodes as the engine sees them; it views both arguments. `drained` is for the
/// numbers of a refusal.
[[nodiscard]] State state_of(const JobQuestion& question, const Offer& offer,
                             NodeSetView drained = {});

/// Asks the engine. `drained` is for the numbers of a refusal.
[[nodiscard]] Answer ask(const ClusterState& state, const JobQuestion& question,
                         const Request& request, const Offer& offer, NodeSetView drained = {});

/// Whether the engine finds a placement.
[[nodiscard]] bool fits(const ClusterState& state, const JobQuestion& question,
                        const Request& request, const Offer& offer);

}  // namespace nvl72block::cli
