// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "nvl72block/placement.hpp"
#include "placement/capacity.hpp"
#include "placement/clique_rules.hpp"
#include "placement/decision.hpp"
#include "placement/refuse.hpp"

namespace nvl72block {
namespace {

bool has_totals(const Request& request, const State& state) {
    return (request.cpus != 0 && !state.cpus.empty()) || (request.gpus != 0 && !state.gpus.empty());
}

std::optional<Placement> place_in_blocks(const Decision& decision, const Request& request,
                                         const State& state) {
    const Topology& topology = decision.tally().topology();
    if (request.sized_by_capacity)
        return place_by_capacity(topology, request, state, decision.effort());
    if (has_totals(request, state))
        return place_with_capacity(topology, request, state, decision.effort());
    const std::optional<Plan> plan = decision.solve_range();
    if (!plan) return std::nullopt;
    return decision.name_nodes(*plan);
}

/// A sound request among the nodes and places of `state`.
Answer place_sound(const Topology& topology, const Request& request, const State& state,
                   const Budget& budget) {
    Effort effort;
    effort.budget = budget.steps.value_or(default_budget(topology.block_count()));
    const Decision decision(topology, request, state, effort);
    if (std::optional<Refusal> refusal = refuse_required(decision, state)) return *refusal;
    std::optional<Placement> placement;
    if (decision.tally().required_outside() == 0)
        placement = place_in_blocks(decision, request, state);
    if (!placement) placement = place_outside(decision, request, state);
    if (placement) {
        placement->steps = effort.steps;
        placement->proven = effort.proven;
        return *std::move(placement);
    }
    Refusal refusal = refuse_placement(decision, state);
    refusal.steps = effort.steps;
    refusal.proven = effort.complete;
    return refusal;
}

Answer place_in_cliques(const Topology& topology, const Request& request, const State& state,
                        const Budget& budget) {
    if (std::optional<Refusal> refusal = refuse_by_cliques(topology, request, state))
        return *refusal;
    const NodeSet usable = usable_in_places(state);
    State narrowed = state;
    narrowed.usable = usable;
    Request fitting = request;
    if (request.segment_size > topology.planning_size())
        fitting.max_nodes = std::min(request.max_nodes, topology.planning_size());
    Answer answer = place_sound(topology, fitting, narrowed, budget);
    auto* refusal = std::get_if<Refusal>(&answer);
    if (refusal == nullptr) return answer;
    if (request.min_nodes == 1) {  // a node without a place still serves a job of one node
        Request single = request;
        single.max_nodes = 1;
        State all = state;
        all.places = nullptr;
        if (Answer one = place_sound(topology, single, all, budget); one.index() == 0) return one;
    }
    add_clique_numbers(*refusal, topology, state);
    return answer;
}

}  // namespace

Answer place(const Topology& topology, const Request& request, const State& state,
             const Budget& budget) {
    if (std::optional<Refusal> refusal = refuse_contradiction(topology, request, state))
        return *refusal;
    if (state.places != nullptr && heeds_cliques(request))
        return place_in_cliques(topology, request, state, budget);
    State without_places = state;
    without_places.places = nullptr;
    return place_sound(topology, request, without_places, budget);
}

}  // namespace nvl72block
