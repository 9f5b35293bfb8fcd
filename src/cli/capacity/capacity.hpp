// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the free nodes of a partition can still hold, in numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "nvl72block/headroom.hpp"
#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block::cli {

/// Whole segments of one size.
struct SegmentCapacity {
    std::uint32_t size = 0;
    FitCount all;  ///< that one job could get now
    /// By level: the most that lie together in one of its blocks.
    std::vector<FitCount> in_one_block;
};

/// What fragmentation_usable() sums up.
struct LostBlocks {
    std::uint32_t block_size = 0;
    std::uint32_t blocks = 0;  ///< blocks that have nodes enough, and not all of them free
};

struct Capacity {
    Headroom headroom;
    std::vector<SegmentCapacity> segments;
    std::vector<LostBlocks> lost_blocks;  ///< by level
    std::uint32_t lost_nodes = 0;         ///< not free, of those that jobs are planned with
    std::uint32_t free_outside = 0;       ///< free nodes in no block
};

/// 1, 2, 4, 8, 9, 16 and 18 as far as they are below the planning size, and the planning size.
[[nodiscard]] std::vector<std::uint32_t> default_sizes(const Topology& topology);

/// All counts are answers of place().
[[nodiscard]] Capacity capacity(const Topology& topology, NodeSetView free,
                                const std::vector<std::uint32_t>& sizes);

}  // namespace nvl72block::cli
