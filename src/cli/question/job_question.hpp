// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job of the cluster as a question to the engine: its request, and the nodes that it could get.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/question/availability.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

struct JobQuestion {
    const JobRecord* job = nullptr;
    Viewer viewer;
    Request request;  ///< `required` is set by ask()
    NodeSet required;
    /// Nodes of the partition that the job could use if they were idle and in service: it does not
    /// exclude them, and they have its features, CPUs, memory and GPUs.
    NodeSet suitable;
    NodeSet excluded;   ///< the other nodes of the partition
    NodeSet shareable;  ///< nodes with other jobs, on which this one fits as well
    std::vector<std::uint64_t> weight;
    std::vector<std::uint32_t> cpus;
    std::vector<std::string> remarks;  ///< parts of the request that are not considered
};

/// `segment_size` overrides what the job's record says, 0 does not.
[[nodiscard]] JobQuestion job_question(const ClusterState& state, const JobRecord& job,
                                       std::uint32_t segment_size);

/// Nodes that the job could get now.
[[nodiscard]] NodeSet usable_now(const ClusterState& state, const JobQuestion& question,
                                 const Viewer& viewer);

/// Asks the engine. `drained` is for the numbers of a refusal.
[[nodiscard]] Answer ask(const ClusterState& state, const JobQuestion& question,
                         const Request& request, NodeSetView usable, NodeSetView drained);

/// Whether the engine finds a placement.
[[nodiscard]] bool fits(const ClusterState& state, const JobQuestion& question,
                        const Request& request, NodeSetView usable);

}  // namespace nvl72block::cli
