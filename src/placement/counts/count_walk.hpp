// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which node counts are tried, and in which order (docs/placement.md, rules 7 and 10).
#pragma once

#include <optional>

#include "placement/counts/totals.hpp"

namespace nvl72block {

/// The largest count of the request's range for which a placement in blocks satisfies the rules
/// and, with `totals`, holds them. Fewer may follow once the budget has ended; the effort says so.
[[nodiscard]] std::optional<Placement> place_largest(const Decision& decision, Totals* totals);

/// A request that is sized by totals: the fewest nodes in blocks that hold the totals, in one
/// block of the smallest level (docs/placement.md, "Sized by totals"). Once the budget has ended
/// counts are passed over, and the effort says so.
[[nodiscard]] std::optional<Placement> place_fewest(const Decision& decision, Totals& totals);

}  // namespace nvl72block
