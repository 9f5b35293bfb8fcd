// SPDX-License-Identifier: GPL-2.0-or-later
#include "refusal/without_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "placement/rules/rules.hpp"

namespace nvl72block {

Refusal refusal_of(const Topology& topology, const Request& request, const State& state,
                   RefusalReason reason, bool permanent, std::string detail) {
    Refusal refusal;
    refusal.reason = reason;
    refusal.permanent = permanent;
    refusal.detail = std::move(detail);
    refusal.wanted_nodes = request.min_nodes;
    refusal.usable_nodes = state.usable.count();
    refusal.usable_outside = refusal.usable_nodes;
    if (state.usable.size() == topology.node_count())
        for (BlockIndex block = 0; block < topology.block_count(); ++block)
            refusal.usable_outside -= topology.count(block, state.usable);
    refusal.drained_nodes = state.drained.count();
    refusal.excluded_nodes = state.excluded.count();
    refusal.segment_size = request.segment_size;
    refusal.max_base_blocks = request.max_base_blocks;
    refusal.wanted_cpus = request.cpus;
    refusal.wanted_gpus = request.gpus;
    return refusal;
}

std::optional<Refusal> refuse_contradiction(const Topology& topology, const Request& request,
                                            const State& state) {
    const auto refuse = [&](std::string detail) {
        return refusal_of(topology, request, state, RefusalReason::bad_request, true,
                          std::move(detail));
    };
    if (request.min_nodes == 0 || request.min_nodes > request.max_nodes)
        return refuse(
            fmt::format("the node range {}-{} is empty", request.min_nodes, request.max_nodes));
    const std::uint32_t segment = request.segment_size;
    const std::uint32_t largest = segment == 0 || request.max_nodes <= segment
                                      ? request.max_nodes
                                      : request.max_nodes - request.max_nodes % segment;
    if (largest < request.min_nodes && request.min_nodes == request.max_nodes)
        return refuse(fmt::format("{} nodes are not a multiple of the segment size {}",
                                  request.max_nodes, segment));
    if (largest < request.min_nodes)
        return refuse(
            fmt::format("no node count from {} to {} is a multiple of the segment size {}",
                        request.min_nodes, request.max_nodes, segment));
    const std::uint32_t required = request.required.count();
    if (required > request.max_nodes)
        return refuse(fmt::format("{} nodes are required by name, but at most {} are requested",
                                  required, request.max_nodes));
    const auto fits_table = [&](NodeSetView set) {
        return set.size() == 0 || set.size() == topology.node_count();
    };
    if (!fits_table(state.usable) || !fits_table(request.required))
        return refuse("a node set does not have the node table's size");
    return std::nullopt;
}

std::optional<Refusal> refuse_by_cliques(const Topology& topology, const Request& request,
                                         const State& state) {
    const std::uint32_t segment = request.segment_size;
    if (request.min_nodes > segment && segment > topology.planning_size())
        return refusal_of(
            topology, request, state, RefusalReason::bad_request, true,
            fmt::format("NVLink cliques are enforced, and a segment of {} nodes fits in none: "
                        "the planning size of base blocks is {}",
                        segment, topology.planning_size()));
    const std::uint32_t without =
        count_of_both(request.required, topology.islands()->without_island);
    if (without == 0) return std::nullopt;
    return refusal_of(topology, request, state, RefusalReason::required_without_island, false,
                      fmt::format("{}", without));
}

NodeSet usable_in_islands(const Topology& topology, const State& state) {
    NodeSet joined(state.usable);
    joined.subtract(topology.islands()->without_island);
    return joined;
}

void add_clique_numbers(Refusal& refusal, const Topology& topology, const State& state) {
    refusal.cliques_enforced = true;
    const Islands& islands = *topology.islands();
    std::vector<std::uint32_t> free;
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        free.assign(islands.island_count[block], 0);
        topology.for_each(block, state.usable, [&](NodeIndex node) {
            const std::uint32_t island = islands.island_of[node];
            if (island == no_island)
                ++refusal.without_island;
            else
                refusal.best_island_free = std::max(refusal.best_island_free, ++free[island]);
        });
    }
}

std::optional<Refusal> refuse(const Topology& topology, const Request& request, const State& state,
                              RefusalReason reason, const JobNumbers& job) {
    Refusal refusal = refusal_of(topology, request, state, reason);
    refusal.job = job;
    if (request.min_nodes > 1 && heeds_cliques(topology, request)) {
        refusal.usable_nodes = usable_in_islands(topology, state).count();
        add_clique_numbers(refusal, topology, state);
    }
    const bool enough = refusal.usable_nodes >= request.min_nodes;
    if (reason == RefusalReason::not_enough_free && enough) return std::nullopt;
    if (reason == RefusalReason::kept_for_others && !enough)
        refusal.reason = RefusalReason::not_enough_free;
    return refusal;
}

}  // namespace nvl72block
