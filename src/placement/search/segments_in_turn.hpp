// SPDX-License-Identifier: GPL-2.0-or-later
//
// A quick way to place segments larger than a base block, where the budget does not last for a
// search: one after another, each on the fullest lower blocks. It may miss a place.
#pragma once

#include <optional>

#include "placement/count/problem.hpp"

namespace nvl72block {

/// A plan that keeps the rules, or nullopt; jobs with required nodes are not tried. Adds the blocks
/// that it looks at to `steps`.
[[nodiscard]] std::optional<Plan> place_in_turn(const Tally& tally, const Problem& problem,
                                                std::uint64_t& steps);

}  // namespace nvl72block
