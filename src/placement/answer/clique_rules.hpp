// SPDX-License-Identifier: GPL-2.0-or-later
//
// What enforced cliques forbid before any search (docs/placement.md, "Cliques").
#pragma once

#include <optional>

#include "nvl72block/placement.hpp"
#include "placement/rules/rules.hpp"

namespace nvl72block {

/// The counts of a request that heed islands: several nodes, and no segment larger than any island.
/// None may be left: refuse_by_cliques().
[[nodiscard]] Request counts_in_islands(const Topology& topology, const Request& request);

/// Segments that no clique can hold at any count of several nodes, and required nodes without a
/// island; nullopt for neither.
[[nodiscard]] std::optional<Refusal> refuse_by_cliques(const Topology& topology,
                                                       const Request& request, const State& state);

/// The usable nodes without those that lie in a block but in none of its islands.
[[nodiscard]] NodeSet usable_in_islands(const Topology& topology, const State& state);

/// Fills in the refusal's numbers about cliques; `state.usable` as the job came with it.
void add_clique_numbers(Refusal& refusal, const Topology& topology, const State& state);

}  // namespace nvl72block
