// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the request, the topology and the state alone tell of a refusal.
#pragma once

#include <optional>
#include <string>

#include "nvl72block/placement.hpp"

namespace nvl72block {

/// A refusal with the numbers that need no count by level and no search.
[[nodiscard]] Refusal refusal_of(const Topology& topology, const Request& request,
                                 const State& state, RefusalReason reason, bool permanent = false,
                                 std::string detail = {});

/// Requests that no state could satisfy; nullopt for a sound one.
[[nodiscard]] std::optional<Refusal> refuse_contradiction(const Topology& topology,
                                                          const Request& request,
                                                          const State& state);

/// Segments that no clique can hold at any count of several nodes, and required nodes without an
/// island; nullopt for neither.
[[nodiscard]] std::optional<Refusal> refuse_by_cliques(const Topology& topology,
                                                       const Request& request, const State& state);

/// The usable nodes without those that lie in a block but in none of its islands.
[[nodiscard]] NodeSet usable_in_islands(const Topology& topology, const State& state);

/// Fills in the refusal's numbers about cliques; `state.usable` as the job came with it.
void add_clique_numbers(Refusal& refusal, const Topology& topology, const State& state);

}  // namespace nvl72block
