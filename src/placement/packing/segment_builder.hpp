// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first answer for segments larger than a base block: they are put together by rules of thumb,
// block of the unit level by block.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "placement/rules/problem.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// Which blocks of the unit level give segments first, after those with required nodes.
enum class BlockOrder {
    fullest,   ///< few of them; a placement is mostly found if there is one
    cheapest,  ///< segment by segment the one that costs least
};

/// A division that keeps every rule, required nodes included: of those that each scope's first
/// order to find one finds, the best; nullopt if none does, which proves nothing.
[[nodiscard]] std::optional<Division> build_segments(const CostLayout& layout,
                                                     const Problem& problem,
                                                     std::initializer_list<BlockOrder> orders,
                                                     Effort& effort);

}  // namespace nvl72block
