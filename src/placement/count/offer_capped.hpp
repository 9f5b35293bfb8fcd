// SPDX-License-Identifier: GPL-2.0-or-later
//
// Upper bounds where a cap on base blocks meets another rule. Each prices a base block and takes
// the price at which the bound is lowest: whatever the price, the nodes that are worth more than
// their blocks cost, plus the price of all blocks allowed, are at least what any choice gives.
#pragma once

#include "placement/count/problem.hpp"

namespace nvl72block {

/// A plain job in one scope: at most problem.limit vertices of the limited level, in them at most
/// problem.max_base_blocks base blocks.
[[nodiscard]] std::uint32_t most_in_limited_and_capped(const Tally& tally, const Problem& problem,
                                                       std::uint32_t scope);

/// Segments larger than a base block in one scope, in segments.
[[nodiscard]] std::uint32_t most_large_segments(const Tally& tally, const Problem& problem,
                                                std::uint32_t scope);

}  // namespace nvl72block
