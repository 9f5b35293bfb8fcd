// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many nodes to take from each base block of a group, and what that costs.
#pragma once

#include <cstdint>
#include <vector>

#include "placement/preference/cost.hpp"
#include "placement/rules/problem.hpp"
#include "placement/state/effort.hpp"
#include "placement/state/tally.hpp"

namespace nvl72block {

/// What the shares (ascending base blocks of one vertex, none twice) cost at the base blocks and at
/// every level up to `level`.
[[nodiscard]] Cost cost_of_taken(const CostLayout& layout, std::size_t level,
                                 const std::vector<Share>& taken);

/// What a division costs.
[[nodiscard]] Cost cost_of(const CostLayout& layout, const Division& division);

/// Number of base blocks that a division uses.
[[nodiscard]] std::uint32_t base_blocks(const Division& division);

/// Which base blocks give first.
enum class TakeOrder {
    largest,  ///< few blocks
    broken,   ///< blocks that are not whole, then what whole ones can spare, then whole ones
};

/// Takes `nodes` nodes from the given base blocks: what is required, then the lightest nodes, block
/// by block. The blocks must offer so many and require no more. Ascending base blocks.
[[nodiscard]] std::vector<Share> take_nodes(const Tally& tally, std::vector<BlockIndex> blocks,
                                            std::uint32_t nodes, TakeOrder order, Effort& effort);

}  // namespace nvl72block
