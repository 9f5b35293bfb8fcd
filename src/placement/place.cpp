// SPDX-License-Identifier: GPL-2.0-or-later
//
// A decision from beginning to end (README.md has the ladder): contradictions; what the usable
// nodes offer; node counts, one after another; nodes in no block; nodes, or a refusal.
#include <algorithm>
#include <deque>

#include "nvl72block/placement.hpp"
#include "placement/answer/node_choice.hpp"
#include "placement/answer/refuse.hpp"
#include "placement/counts/count_walk.hpp"
#include "refusal/without_search.hpp"

namespace nvl72block {
namespace {

/// The answer for parts of a request's counts, in the order in which they are tried; nullopt where
/// a refusal must tell why there is none.
std::optional<Answer> answer_of(const std::vector<const Decision*>& parts, const Request& request,
                                const State& state, Effort& effort) {
    for (const Decision* part : parts)
        if (std::optional<Refusal> refusal = refuse_required(*part, request)) return *refusal;
    std::optional<Placement> placement;
    for (const Decision* part : parts)
        if (!placement) placement = place_in_blocks(*part);
    if (!placement) placement = place_outside(parts.front()->tally(), request, state, effort);
    if (!placement) return std::nullopt;
    placement->steps = effort.steps;
    placement->proven = effort.proven && effort.complete;
    return *std::move(placement);
}

/// The counts of a request that heed islands: several nodes, and no segment larger than any island.
/// None may be left: refuse_by_cliques().
Request counts_in_islands(const Topology& topology, const Request& request) {
    Request several = request;
    several.min_nodes = std::max(request.min_nodes, 2U);
    if (request.segment_size > topology.planning_size())  // up to one segment it is a plain job
        several.max_nodes = std::min(request.max_nodes, request.segment_size);
    return several;
}

/// Cliques are enforced: counts of several nodes are judged by island, a single node is not.
Answer place_in_cliques(const Topology& topology, const Request& request, const State& state,
                        Effort& effort) {
    const std::optional<Refusal> refusal = refuse_by_cliques(topology, request, state);
    const bool by_single = request.min_nodes == 1;  // the smallest count
    if (refusal && !by_single) return *refusal;
    const Request several = counts_in_islands(topology, request);
    Request single = request;
    single.max_nodes = 1;
    const NodeSet in_islands = usable_in_islands(topology, state);
    State narrowed = state;
    narrowed.usable = in_islands;
    std::deque<Decision> decisions;
    std::vector<const Decision*> parts;
    if (!refusal && several.min_nodes <= several.max_nodes)
        parts.push_back(&decisions.emplace_back(topology, several, narrowed, effort));
    if (by_single) parts.push_back(&decisions.emplace_back(topology, single, state, effort));
    const Decision& smallest = by_single ? decisions.back() : decisions.front();
    if (request.sized_by_totals) std::reverse(parts.begin(), parts.end());
    if (std::optional<Answer> answer = answer_of(parts, request, state, effort))
        return *std::move(answer);
    // Cliques may be why several nodes do not hold the totals.
    Refusal refused = refuse_placement(smallest, request);
    if (!by_single || totals_of(request, state).any()) add_clique_numbers(refused, topology, state);
    if (by_single) refused.without_island = 0;  // one node may lie in none
    return refused;
}

}  // namespace

Answer place(const Topology& topology, const Request& request, const State& state,
             const Budget& budget) {
    if (std::optional<Refusal> refusal = refuse_contradiction(topology, request, state))
        return *refusal;
    Effort effort;
    effort.budget = budget.steps.value_or(default_budget(topology.block_count()));
    effort.direct_search = budget.direct_search;
    if (heeds_cliques(topology, request)) return place_in_cliques(topology, request, state, effort);
    const Decision decision(topology, request, state, effort);
    if (std::optional<Answer> answer = answer_of({&decision}, request, state, effort))
        return *std::move(answer);
    return refuse_placement(decision, request);
}

}  // namespace nvl72block
