// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/fragmentation.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "fragmentation/block_states.hpp"

namespace nvl72block {
namespace {

std::uint32_t saturate(std::uint64_t score) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(score, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

std::uint32_t fragmentation_stock(const Topology& topology, NodeSetView available) {
    // Per level: the block being read, or the complete one before it, is whole so far.
    std::array<bool, max_block_exponent + 1> whole{};
    const auto levels = topology.levels();
    const BlockIndex blocks = topology.block_count();
    std::uint64_t broken = 0;  // in base blocks
    std::uint64_t unavailable = 0;
    for (BlockIndex block = 0; block < blocks; ++block) {
        const std::uint32_t free = topology.count(block, available);
        const bool block_whole = free >= topology.planning_size();
        unavailable += topology.block_nodes(block) - free;
        for (std::size_t level = 0; level < levels.size(); ++level) {
            const std::uint32_t joined = levels[level].base_blocks();
            if (block % joined == 0 && joined <= blocks - block) whole[level] = true;
            if (block_whole || !whole[level]) continue;
            broken += joined;
            whole[level] = false;
        }
    }
    return saturate(broken * topology.planning_size() + unavailable);
}

std::uint32_t fragmentation_usable(const Topology& topology, NodeSetView available) {
    std::uint64_t score = 0;
    for_each_block_state(topology, available, [&](std::size_t level, const BlockState& state) {
        if (level == 0) score += state.lost;
        if (state.attainable && !state.whole) score += topology.levels()[level].nodes;
    });
    return saturate(score);
}

}  // namespace nvl72block
