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

struct Capacity {
    Headroom headroom;
    std::vector<SegmentCapacity> segments;
    std::uint32_t free_outside = 0;  ///< free nodes in no block
};

/// All counts are answers of place().
[[nodiscard]] Capacity capacity(const Topology& topology, NodeSetView free,
                                const std::vector<std::uint32_t>& sizes);

/// What jobs of at most so many nodes can have of it.
void limit(Capacity& capacity, std::uint32_t nodes);

}  // namespace nvl72block::cli
