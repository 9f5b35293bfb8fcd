// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the free nodes of a cluster can still hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nvl72block/node_set.hpp"
#include "nvl72block/placement.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// Blocks of one level by what they have free. A block is whole when it is complete and each base
/// block has as many nodes free as the planning size.
struct LevelBlocks {
    std::uint32_t block_size = 0;  ///< nodes, as in BlockSizes
    std::uint32_t whole = 0;
    std::uint32_t broken = 0;      ///< not whole, but can become so
    std::uint32_t incomplete = 0;  ///< have too few nodes or base blocks ever to be whole
    std::uint32_t lost_nodes = 0;  ///< of the planned nodes of these blocks, those not free

    [[nodiscard]] std::uint32_t blocks() const { return whole + broken + incomplete; }
};

/// How many nodes or segments one job could get now.
struct FitCount {
    std::uint32_t count = 0;
    bool exact = true;  ///< false: at least so many, as a search limit was reached
};

/// How many whole segments of a size one job could get now.
struct IdleSegments {
    std::uint32_t size = 0;  ///< nodes per segment
    FitCount fit;            ///< segments
};

/// For the report of `nvl72block show`. Counts are whole nodes, blocks and segments.
struct Headroom {
    std::vector<LevelBlocks> levels;          ///< as Topology::levels()
    FitCount largest_job;                     ///< nodes of the largest job without segments
    std::vector<IdleSegments> idle_segments;  ///< of segment_sizes()
    std::uint32_t fragmentation_stock = 0;    ///< score of fragmentation.hpp
    std::uint32_t fragmentation_usable = 0;   ///< the same
};

/// Asks place() itself, so that the numbers are what a job would really get. Only members of `free`
/// that lie in blocks count.
[[nodiscard]] Headroom headroom(const Topology& topology, NodeSetView free);

/// One entry per level. Holes do not count.
[[nodiscard]] std::vector<LevelBlocks> count_blocks(const Topology& topology, NodeSetView free);

/// Members of `nodes` in base blocks [first, last).
[[nodiscard]] NodeSet nodes_in_blocks(const Topology& topology, BlockIndex first, BlockIndex last,
                                      NodeSetView nodes);

/// Nodes of the largest job without segments that fits now.
[[nodiscard]] FitCount largest_job(const Topology& topology, NodeSetView free,
                                   const Budget& budget = {});

/// Whole segments of `size` nodes, 1 or more, that one job could get now among `nodes`, all of
/// which lie in blocks.
[[nodiscard]] FitCount segments_that_fit(const Topology& topology, NodeSetView nodes,
                                         std::uint32_t size, const Budget& budget = {});

/// For each of `sizes`, which are 1 or more, how many whole segments one job could get now.
[[nodiscard]] std::vector<IdleSegments> idle_segments(const Topology& topology, NodeSetView free,
                                                      std::span<const std::uint32_t> sizes);

/// The sizes that are counted where nobody asks for others, ascending: 1, 2, 4, 8, 9, 16 and 18 up
/// to the nodes of the largest base block, and the block sizes of the levels.
[[nodiscard]] std::vector<std::uint32_t> segment_sizes(const Topology& topology);

}  // namespace nvl72block
