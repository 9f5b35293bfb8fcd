// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/answer/clique_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "placement/answer/refuse.hpp"

namespace nvl72block {

Request counts_in_islands(const Topology& topology, const Request& request) {
    Request several = request;
    several.min_nodes = std::max(request.min_nodes, 2U);
    if (request.segment_size > topology.planning_size())  // up to one segment it is a plain job
        several.max_nodes = std::min(request.max_nodes, request.segment_size);
    return several;
}

std::optional<Refusal> refuse_by_cliques(const Topology& topology, const Request& request,
                                         const State& state) {
    const std::uint32_t segment = request.segment_size;
    if (request.min_nodes > segment && segment > topology.planning_size())
        return contradiction(
            topology, request, state,
            fmt::format("NVLink cliques are enforced, and a segment of {} nodes fits in none: "
                        "the planning size of base blocks is {}",
                        segment, topology.planning_size()));
    const std::uint32_t without =
        count_of_both(request.required, topology.islands()->without_island);
    if (without == 0) return std::nullopt;
    Refusal refusal =
        with_numbers(topology, request, state, RefusalReason::required_without_island);
    refusal.detail = fmt::format("{}", without);
    return refusal;
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

}  // namespace nvl72block
