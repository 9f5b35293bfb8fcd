// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ranges of node counts: the largest one that fits.
#pragma once

#include <optional>

#include "placement/answer/decision.hpp"
#include "placement/answer/totals.hpp"

namespace nvl72block {

/// The placement for the largest count between the request's limits for which the rules can be met
/// and, with `totals`, the totals held. Counts that the offers exclude are passed over without a
/// search. When the budget ends, the largest count that a few more tries find is taken, and the
/// effort says that it is not proven.
[[nodiscard]] std::optional<Placement> place_largest(const Decision& decision, Totals* totals);

}  // namespace nvl72block
