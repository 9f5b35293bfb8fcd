// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs sized by what their nodes have together (Request::sized_by_capacity).
#pragma once

#include <optional>

#include "placement/answer/totals.hpp"

namespace nvl72block {

/// The fewest nodes between the request's limits that hold its totals, at the smallest level where
/// they lie in one block. Counts that the offers exclude are passed over without a search; when the
/// budget ends, few more are tried, and the effort says that it is not proven.
[[nodiscard]] std::optional<Placement> place_fewest(const Decision& decision, Totals& totals);

}  // namespace nvl72block
