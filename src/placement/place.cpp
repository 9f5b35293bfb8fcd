// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/placement.hpp"
#include "placement/capacity.hpp"
#include "placement/decision.hpp"
#include "placement/node_choice.hpp"
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
    return choose_nodes(topology, request, state, *plan);
}

}  // namespace

Answer place(const Topology& topology, const Request& request, const State& state) {
    if (std::optional<Refusal> refusal = refuse_contradiction(topology, request, state))
        return *refusal;
    Effort effort;
    const Decision decision(topology, request, state, effort);
    if (std::optional<Refusal> refusal = refuse_required(decision, state)) return *refusal;
    std::optional<Placement> placement;
    if (decision.tally().required_outside() == 0)
        placement = place_in_blocks(decision, request, state);
    if (!placement) placement = place_outside(decision, request, state);
    if (placement) {
        placement->steps = effort.steps;
        placement->best = effort.best;
        return *std::move(placement);
    }
    Refusal refusal = refuse_placement(decision, state);
    refusal.steps = effort.steps;
    refusal.proven = effort.complete;
    return refusal;
}

}  // namespace nvl72block
