// SPDX-License-Identifier: GPL-2.0-or-later
//
// From "so many nodes of this base block", or "in no block", to the nodes themselves.
#pragma once

#include <optional>

#include "placement/search/search.hpp"

namespace nvl72block {

/// Names the nodes of a division: inside a base block the required ones, then the lightest, then
/// the lowest indices; the segments draw from them in index order. A carved base block gives island
/// after island, as its split says (island_offers.hpp).
[[nodiscard]] Placement choose_nodes(const Ground& ground, const State& state,
                                     const Division& division);

/// A job outside all blocks (docs/placement.md, rule 8): the largest count of the range that holds
/// the totals, or the fewest nodes that do (Request::sized_by_totals).
[[nodiscard]] std::optional<Placement> place_outside(const Tally& tally, const Request& request,
                                                     const State& state, Effort& effort);

}  // namespace nvl72block
