// SPDX-License-Identifier: GPL-2.0-or-later
//
// What enforced cliques forbid before any search (docs/placement.md, "Cliques").
#pragma once

#include <optional>

#include "nvl72block/placement.hpp"

namespace nvl72block {

/// Whether the request can ask for several nodes that belong together; jobs of one node and
/// segments of one node heed no cliques.
[[nodiscard]] inline bool heeds_cliques(const Request& request) {
    return request.max_nodes > 1 && request.segment_size != 1;
}

/// Segments that no clique can hold, and required nodes without a place; nullopt for neither.
[[nodiscard]] std::optional<Refusal> refuse_by_cliques(const Topology& topology,
                                                       const Request& request, const State& state);

/// The usable nodes without those that lie in a block but in none of its places.
[[nodiscard]] NodeSet usable_in_places(const State& state);

/// Fills in the refusal's numbers about cliques; `state.usable` as the job came with it.
void add_clique_numbers(Refusal& refusal, const Topology& topology, const State& state);

}  // namespace nvl72block
