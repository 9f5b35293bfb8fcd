// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs outside all blocks (docs/placement.md, rule 8).
#pragma once

#include <optional>

#include "placement/counts/decision.hpp"

namespace nvl72block {

/// A job outside all blocks, where the rules allow it: the largest count of the range that holds
/// the totals, or the fewest nodes that do (Request::sized_by_capacity).
[[nodiscard]] std::optional<Placement> place_outside(const Tally& tally, const Request& request,
                                                     const State& state, Effort& effort);

}  // namespace nvl72block
