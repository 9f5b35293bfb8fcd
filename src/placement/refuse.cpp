// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/refuse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "placement/greedy_search.hpp"

namespace nvl72block {
namespace {

void add_levels(Refusal& refusal, const Tally& tally) {
    for (std::size_t level = 0; level < tally.whole_level(); ++level) {
        LevelOffer offer;
        offer.block_size = tally.topology().levels()[level].nodes;
        for (std::uint32_t index = 0; index < tally.vertices(level); ++index) {
            offer.best_free = std::max(offer.best_free, tally.free(level, index));
            offer.blocks_whole += tally.whole(level, index) ? 1 : 0;
        }
        refusal.levels.push_back(offer);
    }
}

void add_capacity(Refusal& refusal, const State& state) {
    state.usable.for_each([&](NodeIndex node) {
        if (!state.cpus.empty()) refusal.best_cpus += state.cpus[node];
        if (!state.gpus.empty()) refusal.best_gpus += state.gpus[node];
    });
}

/// Names the rule that the smallest allowed count fails.
void add_reason(Refusal& refusal, const Decision& decision, const Problem& problem) {
    const Tally& tally = decision.tally();
    const bool required = tally.required_in_blocks() > 0;
    refusal.best_fit_nodes = decision.most(problem);
    if (problem.segmented) {
        refusal.segments_wanted = problem.units;
        refusal.segments_fit =
            std::min(refusal.best_fit_nodes / problem.unit_nodes, problem.units - 1);
    }
    if (problem.scope_level < tally.whole_level())
        refusal.level_size = tally.topology().levels()[problem.scope_level].nodes;

    Problem unlimited = problem;
    unlimited.max_base_blocks = 0;
    if (problem.max_base_blocks != 0) {
        Problem fewest = unlimited;
        if (const std::optional<Plan> plan = decision.solve_compact(fewest)) {
            refusal.reason = RefusalReason::too_many_base_blocks;
            refusal.needed_base_blocks = base_blocks(*plan);
            if (problem.segmented) refusal.segments_fit = problem.units;
            return;
        }
    }
    if (decision.solve(unlimited))
        refusal.reason = RefusalReason::not_enough_capacity;
    else if (refusal.usable_nodes < problem.nodes)
        refusal.reason = RefusalReason::not_enough_nodes;
    else if (required)
        refusal.reason = RefusalReason::required_do_not_fit;
    else if (problem.segmented)
        refusal.reason = RefusalReason::segments_do_not_fit;
    else
        refusal.reason = RefusalReason::no_block_fits;
}

}  // namespace

Refusal with_numbers(const Request& request, const State& state, RefusalReason reason) {
    Refusal refusal;
    refusal.reason = reason;
    refusal.wanted_nodes = request.min_nodes;
    refusal.usable_nodes = state.usable.count();
    refusal.drained_nodes = state.drained.count();
    refusal.excluded_nodes = state.excluded.count();
    refusal.segment_size = request.segment_size;
    refusal.max_base_blocks = request.max_base_blocks;
    refusal.wanted_cpus = request.cpus;
    refusal.wanted_gpus = request.gpus;
    return refusal;
}

Refusal contradiction(const Request& request, const State& state, std::string detail) {
    Refusal refusal = with_numbers(request, state, RefusalReason::bad_request);
    refusal.permanent = true;
    refusal.detail = std::move(detail);
    return refusal;
}

std::optional<Refusal> refuse_contradiction(const Topology& topology, const Request& request,
                                            const State& state) {
    if (request.min_nodes == 0 || request.min_nodes > request.max_nodes)
        return contradiction(
            request, state,
            fmt::format("the node count {}-{} is empty", request.min_nodes, request.max_nodes));
    const std::uint32_t segment = request.segment_size;
    const std::uint32_t largest = segment == 0 || request.max_nodes <= segment
                                      ? request.max_nodes
                                      : request.max_nodes - request.max_nodes % segment;
    if (largest < request.min_nodes)
        return contradiction(
            request, state,
            request.min_nodes == request.max_nodes
                ? fmt::format("{} nodes are not a multiple of the segment size {}",
                              request.max_nodes, segment)
                : fmt::format("no node count from {} to {} is a multiple of the segment size {}",
                              request.min_nodes, request.max_nodes, segment));
    const std::uint32_t required = request.required.count();
    if (required > request.max_nodes)
        return contradiction(request, state,
                             fmt::format("{} nodes are required by name, but at most {} asked for",
                                         required, request.max_nodes));
    const auto fits_table = [&](NodeSetView set) {
        return set.size() == 0 || set.size() == topology.node_count();
    };
    if (!fits_table(state.usable) || !fits_table(request.required))
        return contradiction(request, state, "a node set does not have the node table's size");
    if (state.places != nullptr && (state.places->place_of.size() != topology.node_count() ||
                                    state.places->without_place.size() != topology.node_count() ||
                                    state.places->place_count.size() != topology.block_count()))
        return contradiction(request, state, "the cliques are those of another topology");
    return std::nullopt;
}

std::optional<Refusal> refuse_required(const Decision& decision, const State& state) {
    const Tally& tally = decision.tally();
    const Request& request = decision.request();
    const auto refuse = [&](RefusalReason reason, bool permanent, std::uint32_t nodes) {
        Refusal refusal = with_numbers(request, state, reason);
        refusal.permanent = permanent;
        refusal.usable_outside = tally.outside();
        refusal.detail = fmt::format("{}", nodes);
        return refusal;
    };
    if (tally.required_unusable() > 0)
        return refuse(RefusalReason::required_not_usable, false, tally.required_unusable());
    const bool mixed = tally.required_in_blocks() > 0 && tally.required_outside() > 0;
    if (mixed || (tally.required_outside() > 0 && request.segment_size != 0))
        return refuse(RefusalReason::required_not_in_block, true, tally.required_outside());
    return std::nullopt;
}

Refusal refuse_placement(const Decision& decision, const State& state) {
    const Tally& tally = decision.tally();
    const Request& request = decision.request();
    Refusal refusal = with_numbers(request, state, RefusalReason::not_enough_nodes);
    refusal.usable_outside = tally.outside();
    add_levels(refusal, tally);
    add_capacity(refusal, state);
    std::uint32_t smallest = request.min_nodes;
    if (request.segment_size != 0 && smallest > request.segment_size)
        smallest =
            (smallest + request.segment_size - 1) / request.segment_size * request.segment_size;
    refusal.wanted_nodes = smallest;
    if (tally.required_outside() > 0 && tally.outside() < smallest) {
        refusal.reason = RefusalReason::required_outside_too_few;
        return refusal;
    }
    add_reason(refusal, decision, decision.problem(smallest));
    return refusal;
}

}  // namespace nvl72block
