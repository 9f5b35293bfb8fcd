// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each block of each level is at the moment: the one walk over blocks that scores and counts
// share.
#pragma once

#include <algorithm>
#include <array>

#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

struct BlockState {
    bool exists = false;     ///< has a base block that is no hole
    bool attainable = true;  ///< complete, and each base block has the planned nodes
    bool whole = true;       ///< attainable, and each base block has as many nodes available
    std::uint32_t lost = 0;  ///< of the planned nodes that it has, those that are not available
};

/// Calls visit(level, state) for each block of each level. Allocates nothing.
template <typename Visit>
void for_each_block_state(const Topology& topology, NodeSetView available, Visit visit) {
    std::array<BlockState, max_block_exponent + 1> states;
    const auto levels = topology.levels();
    const BlockIndex blocks = topology.block_count();
    for (BlockIndex block = 0; block < blocks; ++block) {
        const std::uint32_t planned = topology.planning_size();
        const std::uint32_t usable = std::min(planned, topology.block_nodes(block));
        const std::uint32_t free = std::min(usable, topology.count(block, available));
        for (std::size_t level = 0; level < levels.size(); ++level) {
            const BlockIndex joined = levels[level].base_blocks();
            BlockState& state = states[level];
            if (block % joined == 0) state = {};
            const bool complete = (block + 1) % joined == 0;
            state.exists |= !topology.is_hole(block);
            state.attainable &= usable == planned && (complete || block + 1 < blocks);
            state.whole &= free == planned && state.attainable;
            state.lost += usable - free;
            if (complete || block + 1 == blocks) visit(level, state);
        }
    }
}

}  // namespace nvl72block
