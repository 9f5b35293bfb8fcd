// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why a job cannot be placed, gathered from the counts.
#pragma once

#include <optional>

#include "placement/counts/decision.hpp"

namespace nvl72block {

/// Requests that no state could satisfy; nullopt for a sound one.
[[nodiscard]] std::optional<Refusal> refuse_contradiction(const Topology& topology,
                                                          const Request& request,
                                                          const State& state);

/// Segments that no clique can hold at any count of several nodes, and required nodes without a
/// island; nullopt for neither.
[[nodiscard]] std::optional<Refusal> refuse_by_cliques(const Topology& topology,
                                                       const Request& request, const State& state);

/// The usable nodes without those that lie in a block but in none of its islands.
[[nodiscard]] NodeSet usable_in_islands(const Topology& topology, const State& state);

/// Fills in the refusal's numbers about cliques; `state.usable` as the job came with it.
void add_clique_numbers(Refusal& refusal, const Topology& topology, const State& state);

/// Required nodes that are not usable, or lie where this job may not; nullopt if all is well.
/// `decision` is about some of the counts of `request`, or all.
[[nodiscard]] std::optional<Refusal> refuse_required(const Decision& decision,
                                                     const Request& request);

/// The refusal of a sound request for which no placement was found; the effort says whether there
/// is none. Its numbers are those of the smallest count, which `decision` must be about.
[[nodiscard]] Refusal refuse_placement(const Decision& decision, const Request& request);

}  // namespace nvl72block
