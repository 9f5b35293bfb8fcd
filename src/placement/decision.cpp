// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/decision.hpp"

#include <algorithm>

#include "placement/capacity.hpp"
#include "placement/greedy_search.hpp"
#include "placement/node_choice.hpp"
#include "placement/offer.hpp"

namespace nvl72block {
Decision::Decision(const Topology& topology, const Request& request, const State& state,
                   Effort& effort, bool total_weight)
    : topology_(topology),
      request_(request),
      state_(state),
      tally_(topology, request, state),
      effort_(effort),
      total_weight_(total_weight) {
    effort_.steps += tally_.vertices_in_all();
}

std::uint32_t Decision::most(const Problem& problem) const {
    effort_.steps +=
        tally_.vertices(problem.segmented ? problem.unit_level : problem.limited_level);
    return most_nodes(tally_, problem);
}

std::uint32_t Decision::valid_count(std::uint32_t at_most) const {
    std::uint32_t count = std::min(at_most, request_.max_nodes);
    const std::uint32_t segment = request_.segment_size;
    if (segment != 0 && count > segment) count -= count % segment;
    return count >= request_.min_nodes ? count : 0;
}

Problem Decision::problem(std::uint32_t nodes, std::size_t level) const {
    Problem problem;
    problem.nodes = problem.units = nodes;
    problem.max_base_blocks = request_.max_base_blocks;
    const std::uint32_t segment = request_.segment_size;
    problem.segmented = segment != 0 && nodes > segment;
    if (problem.segmented) {
        problem.units = nodes / segment;
        problem.unit_nodes = segment;
        problem.spread = request_.spread_segments;
        problem.segment_rule = plain_rule(topology_, segment);
        problem.unit_level = problem.segment_rule.level;
        problem.scope_level =
            request_.consolidate_segments
                ? consolidated_level(topology_, problem.units, segment, problem.spread)
                : tally_.whole_level();
        return problem;
    }
    const PlainRule rule = plain_rule(topology_, nodes);
    problem.scope_level = std::max(rule.level, level);
    if (level > rule.level || rule.level == 0) return problem;
    problem.limited_level = rule.lower;
    problem.limit = rule.limit;
    return problem;
}

std::optional<Plan> Decision::solve(const Problem& problem) const {
    return most(problem) < problem.nodes ? std::nullopt : search_offered(problem);
}

std::optional<Plan> Decision::search_offered(const Problem& problem) const {
    const Preference preference{&request_, total_weight_};
    // Most answers keep within max_base_blocks by themselves, and are then the best within it.
    Problem unlimited = problem;
    unlimited.max_base_blocks = 0;
    std::optional<Plan> plan = search(tally_, preference, unlimited, effort_);
    if (!plan || problem.max_base_blocks == 0 || base_blocks(*plan) <= problem.max_base_blocks)
        return plan;
    plan = search(tally_, preference, problem, effort_);
    if (plan || effort_.complete) return plan;
    plan = solve_compact(unlimited);
    if (!plan || base_blocks(*plan) > problem.max_base_blocks) return std::nullopt;
    effort_.proven = false;
    return plan;
}

std::optional<Plan> Decision::solve_compact(const Problem& problem) const {
    Request request = request_;
    request.policy = Policy::compact;
    State unweighted_state;
    unweighted_state.usable = state_.usable;
    unweighted_state.places = state_.places;
    const Tally unweighted(topology_, request, unweighted_state);
    if (most_nodes(unweighted, problem) < problem.nodes) return std::nullopt;
    return search(unweighted, {&request, false}, problem, effort_);
}

Placement Decision::name_nodes(const Plan& plan) const {
    return choose_nodes(tally_, request_, state_, plan, total_weight_);
}

std::optional<Plan> Decision::solve_range() const {
    std::uint32_t count = valid_count(std::min(request_.max_nodes, tally_.in_blocks()));
    while (count != 0) {
        const Problem search = problem(count);
        const std::uint32_t most = this->most(search);
        if (most >= count)
            if (std::optional<Plan> plan = search_offered(search)) return plan;
        // The next count that another rule judges, or that this rule's best offer holds.
        std::uint32_t next = count - 1;
        if (most < count) {
            const PlainRule rule = plain_rule(topology_, count);
            const std::uint64_t same_rule =
                search.segmented
                    ? std::uint64_t{request_.segment_size}
                    : std::uint64_t{rule.limit - 1} * topology_.levels()[rule.lower].nodes;
            if (!request_.consolidate_segments || !search.segmented)
                next = std::min<std::uint32_t>(
                    next, std::max<std::uint32_t>(most, static_cast<std::uint32_t>(same_rule)));
        }
        if (next < request_.min_nodes) break;
        count = valid_count(next);
    }
    return std::nullopt;
}

std::optional<Placement> place_outside(const Decision& decision, const Request& request,
                                       const State& state) {
    const Tally& tally = decision.tally();
    if (request.segment_size != 0 || tally.required_in_blocks() != 0) return std::nullopt;
    const std::uint32_t least = std::max(request.min_nodes, tally.required_outside());
    std::uint32_t most = std::min(request.max_nodes, tally.outside());
    if (most < least) return std::nullopt;
    const auto choose = [&](std::uint32_t count) {
        return choose_outside(tally.topology(), request, state, count);
    };
    Placement placement = choose(most);
    if (!holds_capacity(request, state, placement)) return std::nullopt;
    if (!request.sized_by_capacity) return placement;
    std::uint32_t fewest = least;  // a larger count holds whatever a smaller one holds
    while (fewest < most) {
        const std::uint32_t middle = fewest + (most - fewest) / 2;
        if (holds_capacity(request, state, choose(middle)))
            most = middle;
        else
            fewest = middle + 1;
    }
    return choose(fewest);
}

}  // namespace nvl72block
