// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which node counts are tried, and in which order (docs/placement.md, rules 7 and 10).
#pragma once

#include <optional>

#include "placement/counts/totals.hpp"

namespace nvl72block {

/// The placement in blocks of the count that rules 7 and 10 require. Once the budget has ended
/// another count may follow, and the effort says so.
[[nodiscard]] std::optional<Placement> place_in_blocks(const Decision& decision);

}  // namespace nvl72block
