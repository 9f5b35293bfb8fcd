// SPDX-License-Identifier: GPL-2.0-or-later
//
// The choice when the exact search would take too long: level by level it opens as few whole
// blocks as the job needs, then takes few base blocks with little left over. It finds a place
// wherever the exact search would (packed segments and the combination of max_base_blocks with a
// limit on lower blocks excepted); how near its answers come to the best is measured in the tests.
#pragma once

#include <optional>

#include "placement/count/problem.hpp"

namespace nvl72block {

/// A good plan, or nullopt. Adds to `steps` what it did, which no budget ends.
[[nodiscard]] std::optional<Plan> search_greedily(const Tally& tally, const CostLayout& layout,
                                                  const Problem& problem, std::uint64_t& steps);

/// What a plan costs.
[[nodiscard]] Cost cost_of(const Tally& tally, const CostLayout& layout, const Plan& plan);

/// Number of base blocks that a plan uses.
[[nodiscard]] std::uint32_t base_blocks(const Plan& plan);

}  // namespace nvl72block
