// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/answer/refuse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "placement/counts/totals.hpp"
#include "placement/preference/taken_nodes.hpp"
#include "placement/rules/rules.hpp"
#include "placement/state/bisect.hpp"
#include "refusal/without_search.hpp"

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

/// Share of what is left of the budget that may go into a number that only people read.
constexpr std::uint64_t share_for_numbers = 8;

/// How many segments fit under the rule that all of them fail: halves the doubt between the offers'
/// bound and what the searches find, while the budget lasts.
void add_segments(Refusal& refusal, const Decision& decision, const Problem& problem) {
    const Tally& tally = decision.tally();
    const bool required = tally.required_in_blocks() > 0;
    std::uint32_t most = std::min(refusal.best_fit_nodes / problem.unit_nodes, problem.units - 1);
    refusal.segments_wanted = problem.units;
    refusal.segments_fit = most;
    refusal.segments_fit_exact = !problem.large_segments() && !required;
    if (refusal.segments_fit_exact) return;
    // Then the refusal says that, not what fits.
    if (tally.in_blocks() + tally.outside() < problem.nodes) return;
    Effort& effort = decision.effort();
    const Temporary part(effort.budget, std::max(effort.budget_of_part(share_for_numbers),
                                                 effort.budget_of_answers(2)));
    std::uint32_t least = 0;
    Problem fewer = problem;
    for (bool first = true; least < most && effort.pays(); first = false) {
        // Required nodes may fit with more segments and not with fewer: then one by one.
        fewer.units = first || required ? most : least + (most - least + 1) / 2;
        fewer.nodes = fewer.units * fewer.unit_nodes;
        const Found found = decision.solve(fewer);
        if (!found.division && !found.complete) break;
        (found.division ? least : most) = found.division ? fewer.units : fewer.units - 1;
    }
    refusal.segments_fit = most;
    refusal.segments_fit_exact = least == most;
}

/// The fewest base blocks above the cap that hold the job, no more than `enough`; where the offers
/// cannot tell, nor searches if these are wanted, the most of which it is known that fewer do not.
std::uint32_t fewest_base_blocks(const Decision& decision, Problem problem, std::uint32_t enough,
                                 bool searches) {
    return first_failing(problem.max_base_blocks + 1, enough, [&](std::uint32_t blocks) {
        problem.max_base_blocks = blocks;
        if (decision.most(problem) < problem.nodes) return true;
        if (!searches || !decision.effort().pays()) return false;
        const Found found = decision.solve(problem);
        return !found.division && found.complete;
    });
}

/// Whether the cap on base blocks is what forbids the job; then the numbers say so.
bool capped(Refusal& refusal, const Decision& decision, const Problem& problem) {
    if (problem.max_base_blocks == 0 || !decision.effort().pays()) return false;
    const Found& compact = decision.solve_compact(problem);
    if (!compact.division) return false;
    const std::uint32_t found = base_blocks(*compact.division);
    if (found <= problem.max_base_blocks) return false;
    refusal.reason = RefusalReason::too_many_base_blocks;
    refusal.needed_base_blocks = found;
    if (!compact.proven && (refusal.proven || refusal.best_fit_nodes < problem.nodes))
        refusal.needed_base_blocks = fewest_base_blocks(decision, problem, found, refusal.proven);
    return true;
}

/// Whether nodes can be had and only the totals are missing.
bool lacks_totals(const Decision& decision, const Problem& problem) {
    const Request& request = decision.request();
    if (!totals_of(request, decision.state()).any()) return false;
    if (request.sized_by_totals) return decision.tally().in_blocks() >= problem.nodes;
    // Beyond the budget the offers must tell.
    return decision.effort().pays() ? decision.finds_division(problem)
                                    : decision.most(problem) >= problem.nodes;
}

/// Names the rule that the smallest allowed count fails.
void add_reason(Refusal& refusal, const Decision& decision, const Request& request,
                const Problem& problem) {
    const Tally& tally = decision.tally();
    refusal.best_fit_nodes = decision.most(problem);
    if (problem.segmented) add_segments(refusal, decision, problem);
    if (problem.scope_level < tally.whole_level())
        refusal.level_size = tally.topology().levels()[problem.scope_level].nodes;
    if (capped(refusal, decision, problem)) return;
    if (lacks_totals(decision, problem)) {
        refusal.reason = RefusalReason::not_enough_totals;
        if (request.max_nodes > problem.nodes) refusal.level_size = 0;  // nor elsewhere
    } else if (refusal.usable_nodes < problem.nodes) {
        refusal.reason = RefusalReason::not_enough_nodes;
    } else if (tally.required_in_blocks() > 0) {
        refusal.reason = RefusalReason::required_do_not_fit;
    } else {
        refusal.reason =
            problem.segmented ? RefusalReason::segments_do_not_fit : RefusalReason::no_block_fits;
    }
}

}  // namespace

std::optional<Refusal> refuse_required(const Decision& decision, const Request& request) {
    const Tally& tally = decision.tally();
    const auto refuse = [&](RefusalReason reason, bool permanent, std::uint32_t nodes) {
        return refusal_of(tally.topology(), request, decision.state(), reason, permanent,
                          fmt::format("{}", nodes));
    };
    if (tally.required_unusable() > 0)
        return refuse(RefusalReason::required_not_usable, false, tally.required_unusable());
    const bool mixed = tally.required_in_blocks() > 0 && tally.required_outside() > 0;
    if (mixed || (tally.required_outside() > 0 && request.segment_size != 0))
        return refuse(RefusalReason::required_not_in_block, true, tally.required_outside());
    return std::nullopt;
}

Refusal refuse_placement(const Decision& decision, const Request& request) {
    const Tally& tally = decision.tally();
    Refusal refusal =
        refusal_of(tally.topology(), request, decision.state(), RefusalReason::not_enough_nodes);
    refusal.proven = decision.effort().complete;
    refusal.steps = decision.effort().steps;
    add_levels(refusal, tally);
    const Sums usable = sums_of(decision.state(), decision.state().usable);
    refusal.best_cpus = usable.cpus;
    refusal.best_gpus = usable.gpus;
    const auto smallest = static_cast<std::uint32_t>(next_count(request, request.min_nodes));
    refusal.wanted_nodes = smallest;
    if (tally.required_outside() > 0 && tally.outside() < smallest) {
        refusal.reason = RefusalReason::required_outside_too_few;
        return refusal;
    }
    add_reason(refusal, decision, request, decision.problem(smallest));
    refusal.steps = decision.effort().steps;
    return refusal;
}

}  // namespace nvl72block
