// SPDX-License-Identifier: GPL-2.0-or-later
//
// From "so many nodes of this base block" to the nodes themselves.
#pragma once

#include "placement/rules/problem.hpp"

namespace nvl72block {

/// Names the nodes of a division: inside a base block the required ones, then the lightest, then
/// the lowest indices; the segments draw from them in index order. A carved base block gives island
/// after island, as its split says (island_offers.hpp). `total_weight` as in CostLayout.
[[nodiscard]] Placement choose_nodes(const Tally& tally, const Request& request, const State& state,
                                     const Division& division, bool total_weight = false);

/// A job outside all blocks: `count` usable nodes in no block, chosen by the same order.
[[nodiscard]] Placement choose_outside(const Topology& topology, const Request& request,
                                       const State& state, std::uint32_t count);

}  // namespace nvl72block
