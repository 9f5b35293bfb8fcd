// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the jobs of a partition ask for: the sizes of segments and of jobs without segments, by the
// nodes that they ask for or have.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// Jobs of one kind: with segments of `size` nodes, or without segments and of `size` nodes.
struct JobMixShare {
    bool segments = false;
    std::uint32_t size = 0;
    std::uint32_t pending_jobs = 0;  ///< each waiting task of an array counts
    std::uint32_t running_jobs = 0;
    std::uint64_t pending_nodes = 0;
    std::uint64_t running_nodes = 0;

    [[nodiscard]] std::uint64_t nodes() const { return pending_nodes + running_nodes; }
};

struct JobMix {
    std::vector<JobMixShare> shares;  ///< most nodes first
    std::uint64_t pending_nodes = 0;
    std::uint64_t running_nodes = 0;

    [[nodiscard]] std::uint64_t nodes() const { return pending_nodes + running_nodes; }
};

/// Of jobs that wait for the partition, alone or among others, and of those that have nodes in it.
[[nodiscard]] JobMix job_mix_of(const ClusterState& state, const PartitionRecord& partition);

}  // namespace nvl72block::cli
