// SPDX-License-Identifier: GPL-2.0-or-later
//
// What enforced cliques forbid before any search (docs/placement.md, "Cliques").
#pragma once

#include <optional>

#include "nvl72block/placement.hpp"

namespace nvl72block {

/// Whether counts of several nodes heed places: segments of one node do not, nor a single node.
[[nodiscard]] inline bool heeds_cliques(const Request& request) {
    return request.max_nodes > 1 && request.segment_size != 1;
}

/// The counts of a request that heed places: several nodes, and no segment larger than any place.
/// None may be left: refuse_by_cliques().
[[nodiscard]] Request counts_in_places(const Topology& topology, const Request& request);

/// Segments that no clique can hold at any count of several nodes, and required nodes without a
/// place; nullopt for neither.
[[nodiscard]] std::optional<Refusal> refuse_by_cliques(const Topology& topology,
                                                       const Request& request, const State& state);

/// The usable nodes without those that lie in a block but in none of its places.
[[nodiscard]] NodeSet usable_in_places(const State& state);

/// Fills in the refusal's numbers about cliques; `state.usable` as the job came with it.
void add_clique_numbers(Refusal& refusal, const Topology& topology, const State& state);

}  // namespace nvl72block
