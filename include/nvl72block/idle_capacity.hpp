// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the free nodes of a cluster can still hold.
#pragma once

#include <cstdint>
#include <vector>

#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// Blocks of one level that are whole: complete, and every base block has as many nodes free as the
/// planning size.
struct LevelCapacity {
    std::uint32_t block_size = 0;  ///< nodes, as in BlockSizes
    std::uint32_t blocks = 0;      ///< of that size, incomplete ones included
    std::uint32_t whole = 0;
};

/// How many whole segments of a size one job could get now.
struct IdleSegments {
    std::uint32_t size = 0;   ///< nodes per segment
    std::uint32_t count = 0;  ///< segments
};

struct IdleCapacity {
    std::vector<LevelCapacity> levels;  ///< as Topology::levels()
    std::uint32_t largest_job = 0;      ///< nodes of the largest job without segments that fits
    std::vector<IdleSegments> idle_segments;  ///< of segment_sizes()
    std::uint32_t fragmentation_stock = 0;
    std::uint32_t fragmentation_usable = 0;
};

/// Asks the placement itself, so that the numbers are what a job would really get.
[[nodiscard]] IdleCapacity idle_capacity(const Topology& topology, NodeSetView free);

/// Powers of two up to the planning size, then the block sizes of the levels.
[[nodiscard]] std::vector<std::uint32_t> segment_sizes(const Topology& topology);

}  // namespace nvl72block
