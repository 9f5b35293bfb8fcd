// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search.hpp"

#include <algorithm>

#include "placement/canonical_order.hpp"
#include "placement/greedy_search.hpp"
#include "placement/tree_search.hpp"

namespace nvl72block {
namespace {

/// An exact search in file order may take this many times the budget where one in canonical order
/// keeps within it.
constexpr std::uint64_t file_order_allowance = 2;

std::uint64_t search_budget(const Effort& effort) {
    return std::min(exact_budget, effort.left());
}

/// The outcome of a bounded search.
struct Found {
    std::optional<Plan> plan;
    bool best = true;      ///< nothing is better
    bool complete = true;  ///< without a plan: there is none
};

/// Segments must be packed; `limited` is the search with the limit on base blocks, not yet run.
/// Where that limit makes the tables above the packing too large, it is left out and the answer
/// checked; where they are too large even so, only the packing itself is searched.
Found search_packing(TreeSearch& limited, const Tally& tally, const CostLayout& layout,
                     const Problem& problem, Effort& effort) {
    const std::uint64_t budget = search_budget(effort);
    const bool drop_limit = problem.max_base_blocks != 0 && limited.work() > budget;
    Problem unlimited = problem;
    unlimited.max_base_blocks = 0;
    std::optional<TreeSearch> without_limit;
    TreeSearch& tree = drop_limit ? without_limit.emplace(tally, layout, unlimited) : limited;
    const bool tables = tree.work() <= budget;
    Found found;
    found.plan = tables ? tree.run(budget) : tree.run_packing(budget);
    effort.steps += std::min(tree.work(), budget) + tree.packing_steps();
    found.best = tables && tree.exact();
    // States of the same leftovers may differ in the base blocks that they use.
    found.complete = tree.complete() && (tree.exact() || problem.max_base_blocks == 0);
    if (!drop_limit) return found;
    if (found.plan && base_blocks(*found.plan) > problem.max_base_blocks) {
        found.plan.reset();
        found.complete = false;
    }
    found.best = false;
    return found;
}

Found search_bounded(const Tally& tally, const CostLayout& layout, const Problem& problem,
                     Effort& effort) {
    TreeSearch tree(tally, layout, problem);
    if (tree.packs()) return search_packing(tree, tally, layout, problem, effort);
    if (tree.work() <= search_budget(effort)) {
        effort.steps += tree.work();
        return {tree.run(search_budget(effort))};
    }
    const bool may_miss =
        problem.max_base_blocks != 0 && (problem.limit != 0 || problem.large_segments());
    return {search_greedily(tally, layout, problem), false, !may_miss};
}

/// The same best cost in file order, where preference 6 means what it says.
std::optional<Plan> best_in_file_order(TreeSearch& tree, Effort& effort) {
    const std::uint64_t budget = file_order_allowance * search_budget(effort);
    if (tree.work() > budget) return std::nullopt;
    std::optional<Plan> plan = tree.run(budget);
    effort.steps += tree.work() + tree.packing_steps();
    return tree.exact() ? plan : std::nullopt;
}

/// Exactly in file order where that is cheap. Else in canonical order, so that what a bounded
/// search finds does not depend on where equal blocks stand in the file.
std::optional<Plan> search_either_way(const Tally& tally, const Preference& preference,
                                      const Problem& problem, Effort& effort) {
    const PlaceRule rule = place_rule(problem);
    const CostLayout layout(tally, *preference.request, problem.nodes, preference.total_weight,
                            rule);
    TreeSearch tree(tally, layout, problem);
    effort.steps += 2 * tally.vertices_in_all();
    effort.proven = effort.proven && !tally.weights_merged() && !layout.incomplete();
    if (!tree.packs() && tree.work() <= search_budget(effort)) {
        effort.steps += tree.work();
        return tree.run(search_budget(effort));
    }
    const std::vector<BlockIndex> order = canonical_order(tally);
    const Tally sorted(tally, order);
    const CostLayout sorted_layout(sorted, *preference.request, problem.nodes,
                                   preference.total_weight, rule);
    Found found = search_bounded(sorted, sorted_layout, problem, effort);
    effort.steps += 2 * tally.vertices_in_all();
    effort.proven = effort.proven && found.best;
    if (!found.plan) {
        effort.complete = effort.complete && found.complete;
        return std::nullopt;
    }
    if (found.best)
        if (std::optional<Plan> plan = best_in_file_order(tree, effort)) return plan;
    for (Share& share : found.plan->shares) share.block = order[share.block];
    return std::move(found.plan);
}

}  // namespace

std::optional<Plan> search(const Tally& tally, const Preference& preference, const Problem& problem,
                           Effort& effort) {
    std::optional<Plan> plan = search_either_way(tally, preference, problem, effort);
    if (plan) plan->place_rule = place_rule(problem);
    return plan;
}

}  // namespace nvl72block
