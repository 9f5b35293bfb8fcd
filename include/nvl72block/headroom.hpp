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

/// Blocks of one level that are whole: complete, and every base block has as many nodes free as the
/// planning size.
struct WholeBlocks {
    std::uint32_t block_size = 0;  ///< nodes, as in BlockSizes
    std::uint32_t blocks = 0;      ///< of that size, incomplete ones included
    std::uint32_t whole = 0;
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
    std::vector<WholeBlocks> levels;          ///< as Topology::levels()
    FitCount largest_job;                     ///< nodes of the largest job without segments
    std::vector<IdleSegments> idle_segments;  ///< of segment_sizes()
    std::uint32_t fragmentation_stock = 0;    ///< score of fragmentation.hpp
    std::uint32_t fragmentation_usable = 0;   ///< the same
};

/// Asks place() itself, so that the numbers are what a job would really get. Only members of `free`
/// that lie in blocks count.
[[nodiscard]] Headroom headroom(const Topology& topology, NodeSetView free);

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

/// Powers of two up to the planning size, then the block sizes of the levels.
[[nodiscard]] std::vector<std::uint32_t> segment_sizes(const Topology& topology);

}  // namespace nvl72block
