// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/counts/decision.hpp"

#include <algorithm>

#include "placement/answer/node_choice.hpp"
#include "placement/bound/offer.hpp"
#include "placement/preference/taken_nodes.hpp"

namespace nvl72block {
namespace {

/// Steps per base block: what a first answer is taken to need before one was made, and how far
/// beyond the budget a second last resort is begun.
constexpr std::uint64_t steps_of_first_answer = 32, steps_beyond = 240;

/// Prices that a bound under two limits is computed for, about.
constexpr std::uint64_t trials_of_prices = 16;

}  // namespace

Decision::Decision(const Topology& topology, const Request& request, const State& state,
                   Effort& effort, Aim aim)
    : state_(state), ground_(topology, request, state, aim), effort_(effort) {
    effort_.steps += tally().steps();
    effort_.first_answer =
        std::max(effort_.first_answer, expected_answer(tally().weight_classes().size() > 1));
}

std::uint64_t Decision::expected_answer(bool weighted) const {
    const std::uint32_t segment = request().segment_size;
    std::uint64_t splits = 0;
    if (weighted && segment <= topology().planning_size())
        splits = tally().islands().steps_to_prepare(segment, tally().weight_classes().size());
    return steps_of_first_answer * tally().vertices(0) + splits;
}

std::uint32_t Decision::most(const Problem& problem) const {
    if (!problem.segmented) {
        const bool priced = problem.max_base_blocks != 0 && problem.limited_level != 0;
        effort_.steps += tally().vertices(problem.limited_level) * (priced ? trials_of_prices : 1);
        return most_nodes(tally(), problem);
    }
    // The same for every number of segments.
    const std::tuple kind(problem.scope_level, problem.unit_level, problem.max_base_blocks);
    const auto known = most_of_segments_.find(kind);
    if (known != most_of_segments_.end()) return known->second;
    const bool priced = problem.max_base_blocks != 0 && problem.large_segments();
    effort_.steps += tally().vertices(0) * (priced ? 2 * trials_of_prices : 4);
    return most_of_segments_[kind] = most_nodes(tally(), problem);
}

std::uint64_t Decision::least(const Problem& problem) const {
    if (!problem.segmented) return tally().required_in_blocks();
    const auto known = least_of_segments_.find(problem.unit_level);
    if (known != least_of_segments_.end()) return known->second;
    effort_.steps += tally().vertices(problem.unit_level);
    return least_of_segments_[problem.unit_level] = least_nodes(tally(), problem);
}

std::uint32_t Decision::valid_count(std::uint64_t at_most) const {
    auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(at_most, request().max_nodes));
    const std::uint32_t segment = request().segment_size;
    if (segment != 0 && count > segment) count -= count % segment;
    return count >= request().min_nodes ? count : 0;
}

Problem Decision::problem(std::uint64_t count, std::size_t level) const {
    const auto nodes = static_cast<std::uint32_t>(count);
    Problem problem;
    problem.nodes = problem.units = nodes;
    const std::uint32_t segment = request().segment_size;
    problem.segmented = segment != 0 && nodes > segment;
    if (problem.segmented) {
        problem.units = nodes / segment;
        problem.unit_nodes = segment;
        problem.spread = request().spread_segments;
        problem.segment_rule = plain_rule(topology(), segment);
        problem.unit_level = problem.segment_rule.level;
        problem.scope_level =
            request().consolidate_segments
                ? consolidated_level(topology(), problem.units, segment, problem.spread)
                : tally().whole_level();
    } else {
        const PlainRule rule = plain_rule(topology(), nodes);
        problem.one_island = nodes > 1 && nodes <= topology().planning_size();
        // An island lies in one base block, however wide the scope.
        if (problem.one_island && heeds_cliques(topology(), request())) level = rule.level;
        problem.scope_level = std::max(rule.level, level);
        if (level <= rule.level && rule.level > 0) {
            problem.limited_level = rule.lower;
            problem.limit = rule.limit;
        }
    }
    // A unit of one base block uses one: a cap that no answer exceeds costs no search.
    const std::uint32_t blocks = problem.large_segments() ? nodes : problem.units;
    if (blocks > request().max_base_blocks) problem.max_base_blocks = request().max_base_blocks;
    return problem;
}

/// What the job needs comes before what the cluster needs: base blocks alone first.
Found Decision::solve(const Problem& problem) const {
    const std::optional<Problem> local = in_base_blocks(problem);
    Found found{.division = {}, .proven = false, .complete = !local};
    if (local && effort_.pays(2)) {
        const Temporary anywhere(effort_.to_follow, effort_.to_follow + 1);
        found = answer(*local);
    }
    if (!found.division) {
        const bool none_local = found.complete;
        found = answer(problem);
        found.proven = found.proven && none_local;
    }
    remember(problem, found.division.has_value());
    return found;
}

bool Decision::finds_division(const Problem& problem) const {
    if (last_ && last_->first == key_of(problem)) return last_->second;
    return solve(problem).division.has_value();
}

/// Segments, or a plain job, of more nodes than are planned in a base block and no more than some
/// base block has: the same, but each in one base block.
std::optional<Problem> Decision::in_base_blocks(Problem problem) const {
    const std::uint32_t planned = topology().planning_size();
    const std::uint32_t nodes = problem.segmented ? problem.unit_nodes : problem.nodes;
    if (request().policy != Policy::demand || ground_.aim == Aim::total_weight || nodes <= planned)
        return std::nullopt;
    if (slot_level(topology(), nodes) != 0) return std::nullopt;
    if (problem.segmented) {
        problem.segment_rule = {};
        problem.unit_level = 0;
    } else {
        problem.scope_level = problem.limited_level = 0;
        problem.limit = problem.max_base_blocks = 0;
    }
    return problem;
}

/// Where the counts allow it, and a first answer is paid for or must be made.
Found Decision::answer(const Problem& problem) const {
    if (most(problem) < problem.nodes || least(problem) > problem.nodes) return {};
    const Temporary price(effort_.first_answer,
                          ground_.aim == Aim::total_weight ? known_price() : effort_.first_answer);
    if (!effort_.may_answer()) return {.division = {}, .proven = false, .complete = false};
    return problem.max_base_blocks != 0 ? solve_capped(problem) : search(ground_, problem, effort_);
}

Found Decision::solve_capped(const Problem& problem) const {
    Found found;
    if (effort_.pays(4)) {  // with weights it takes more than is known before it was made
        // Most answers keep within max_base_blocks by themselves, and are then the best within it.
        const Temporary within(effort_.to_follow, effort_.to_follow + 2);
        Problem unlimited = problem;
        unlimited.max_base_blocks = 0;
        found = search(ground_, unlimited, effort_);
        if (!found.division || base_blocks(*found.division) <= problem.max_base_blocks)
            return found;
    }
    // The answer is dear there: without steps it is made for the last count alone.
    if (problem.large_segments() && effort_.left() == 0 && !effort_.last_resort())
        return {.division = {}, .proven = false, .complete = false};
    {
        const Temporary fewest(effort_.to_follow, effort_.to_follow + 1);
        found = search(ground_, problem, effort_);
    }
    // The fewest base blocks do not look at totals.
    const bool tells = ground_.aim != Aim::total_weight;
    const std::uint64_t until = effort_.budget + steps_beyond * tally().vertices(0);
    const Temporary resort(effort_.resort_until, tells ? std::min(effort_.resort_until, until) : 0);
    if (found.division || !effort_.may_answer()) return found;
    Found compact = solve_compact(problem);
    if (!compact.division || base_blocks(*compact.division) > problem.max_base_blocks) {
        found.complete = found.complete || (compact.division && compact.proven);
        return found;
    }
    compact.proven = false;
    return compact;
}

const Found& Decision::solve_compact(Problem problem) const {
    problem.max_base_blocks = 0;
    if (last_compact_ && last_compact_->first == key_of(problem)) return last_compact_->second;
    if (!compact_) {
        Request few_blocks = request();
        few_blocks.policy = Policy::compact;
        State unweighted;
        unweighted.usable = state_.usable;
        compact_.emplace(topology(), few_blocks, unweighted, Aim::base_blocks);
        effort_.steps += compact_->tally.steps();
    }
    return last_compact_.emplace(key_of(problem), search(*compact_, problem, effort_)).second;
}

Placement Decision::name_nodes(const Division& division, const State& state) const {
    BlockIndex last = no_block;  // shares of one base block mostly follow each other
    const bool ranked = !state.weight.empty() || state.idle.size() > 0 || tally().islands().any();
    const std::uint64_t looks = ranked ? 4 : 1;
    for (const Share& share : division.shares) {
        effort_.steps +=
            share.nodes + (share.block == last ? 0 : looks * tally().free(0, share.block));
        last = share.block;
    }
    return choose_nodes(ground_, state, division);
}

}  // namespace nvl72block
