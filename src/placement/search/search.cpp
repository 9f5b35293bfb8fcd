// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/search.hpp"

#include <algorithm>

#include "placement/packing/packing.hpp"
#include "placement/packing/segment_builder.hpp"
#include "placement/search/greedy_search.hpp"
#include "placement/search/tree_search.hpp"

namespace nvl72block {
namespace {

/// Steps per base block within which rules of thumb for packed segments are tried whatever is left.
constexpr std::uint64_t steps_of_building = 160;

/// A vertex is sorted among equals, and its counts are copied, one for each weight.
constexpr std::uint64_t steps_of_sorting = 12;

/// What a shape can give is found, and what it would cost to join it.
constexpr std::uint64_t steps_per_shape = 24;

/// Where lower blocks are base blocks the two limits are one.
Problem with_one_limit(Problem problem) {
    if (problem.limit == 0 || problem.limited_level != 0 || problem.max_base_blocks == 0)
        return problem;
    problem.limit = std::min(problem.limit, problem.max_base_blocks);
    problem.max_base_blocks = 0;
    return problem;
}

/// One search for a problem, and what it has found so far.
class Search {
  public:
    Search(const Ground& ground, const Problem& problem, Effort& effort)
        : ground_(ground),
          tally_(ground.tally),
          problem_(with_one_limit(problem)),
          effort_(effort),
          layout_(layout_of(tally_)) {
        effort_.steps += tally_.vertices_in_all();
        effort_.steps += tally_.islands().prepare(
            island_rule(problem_), {tally_.weight_classes(), ground.aim == Aim::total_weight});
        proven_ = !tally_.weights_merged() && !layout_.incomplete();
    }

    Found run() {
        // Packing is not known in advance to be little work: there must be an answer before it.
        const bool packs = packs_segments(tally_, problem_);
        if (packs) find_first();
        if (!search_directly()) {
            if (!packs) find_first();
            search_each_scope();
        }
        if (found_) found_->island_rule = island_rule(problem_);
        return {std::move(found_), proven_, found_ || complete_};
    }

  private:
    [[nodiscard]] CostLayout layout_of(const Tally& tally) const {
        return {tally, ground_.request, problem_.nodes, ground_.aim, island_rule(problem_)};
    }

    /// A block is compared with its like, weight by weight; each shape is weighed.
    [[nodiscard]] std::uint64_t steps_of_tree(const ShapeTree& tree, std::uint64_t blocks) const {
        std::uint64_t shapes = 0;
        for (std::size_t level = 0; level <= problem_.scope_level; ++level)
            shapes += tree.shapes(level).size();
        return blocks * (1 + tally_.weight_classes().size() / 2) + steps_per_shape * shapes;
    }

    /// The first tables alone, looked at by each weight and twice for the prices.
    [[nodiscard]] std::uint64_t steps_of_costs(const ShapeTree& tree) const {
        return tree.block_labels() * (tally_.weight_classes().size() + 2);
    }

    /// All scopes at once, where that is little work. False when it is not, or the budget ended.
    bool search_directly() {
        const Temporary paid(effort_.budget, effort_.budget_of_search());
        if (effort_.left() < tally_.vertices_in_all()) return false;
        const ShapeTree tree(tally_, problem_, {0, tally_.vertices(problem_.scope_level)});
        effort_.steps += steps_of_tree(tree, tally_.vertices(0));
        if (tree.work() > std::min(effort_.direct_search, effort_.left())) return false;
        if (found_ && steps_of_costs(tree) > effort_.left()) return false;
        TreeSearch search(layout_, tree, found_, effort_);
        if (!search.prices().possible()) return true;
        keep(search.run());
        if (search.ended()) return false;
        proven_ = proven_ && search.exact();
        complete_ = search.complete();
        return true;
    }

    /// In canonical order, so that what is found does not depend on where equal blocks stand.
    void find_first() {
        const std::uint64_t before = effort_.steps;
        const Ground::Sorted& canonical = ground_.sorted(effort_.steps);
        const CostLayout layout = layout_of(canonical.tally);
        const auto keep_in_order = [&](std::optional<Division> first) {
            if (!first) return;
            for (Share& share : first->shares) share.block = canonical.order[share.block];
            keep(std::move(first));
        };
        const auto build = [&](std::initializer_list<BlockOrder> orders) {
            keep_in_order(build_segments(layout, problem_, orders, effort_));
        };
        const bool builds = problem_.large_segments();
        // What has the least weight in all is mostly not what is fullest.
        const bool cheapest_first = ground_.aim == Aim::total_weight;
        if (builds) {
            const Temporary enough(
                effort_.budget,
                std::max(effort_.budget, before + steps_of_building * tally_.vertices(0)));
            if (cheapest_first)
                build({BlockOrder::cheapest, BlockOrder::fullest});
            else
                build({BlockOrder::fullest});
        } else {
            keep_in_order(search_greedily(layout, problem_, effort_));
        }
        effort_.first_answer = std::max(effort_.first_answer, effort_.steps - before);
        if (!builds || cheapest_first || !effort_.pays()) return;
        const Temporary paid(effort_.budget, effort_.budget_of_search());
        build({BlockOrder::cheapest});
    }

    void keep(std::optional<Division> division) {
        if (!division || (found_ && layout_.less(found_->cost, division->cost))) return;
        found_ = std::move(division);
    }

    void search_each_scope() {
        const Temporary whole(
            effort_.budget, found_ ? std::max(effort_.budget, effort_.once_found) : effort_.budget);
        const Temporary paid(effort_.budget, effort_.budget_of_search());
        for (std::uint32_t scope = 0; scope < tally_.vertices(problem_.scope_level); ++scope) {
            if (!may_lie_in(tally_, problem_, scope)) continue;
            if (effort_.left() > 0)
                search_scope(scope);
            else
                proven_ = complete_ = false;
        }
    }

    void search_scope(std::uint32_t scope) {
        const ShapeTree tree(tally_, problem_, {scope, scope + 1});
        effort_.steps += steps_of_tree(tree, tally_.blocks(problem_.scope_level, scope).size());
        // They can take more than all that is left: then the first answer stands, if there is one.
        if (found_ && steps_of_costs(tree) > effort_.left()) {
            proven_ = complete_ = false;
            return;
        }
        TreeSearch search(layout_, tree, found_, effort_);
        Prices& prices = search.prices();
        prices.price_limits();
        if (found_ && prices.possible()) prices.price_components(found_->cost);
        if (!prices.possible()) return;
        std::optional<Division> division = search.run();
        proven_ = proven_ && search.exact();
        complete_ = complete_ && search.complete();
        // Of equal answers the one in the first scope stands, unless it was found greedily.
        if (!division || (exact_ && !layout_.less(division->cost, found_->cost))) return;
        found_ = std::move(division);
        exact_ = true;
    }

    const Ground& ground_;
    const Tally& tally_;
    const Problem problem_;
    Effort& effort_;
    CostLayout layout_;
    std::optional<Division> found_;
    bool exact_ = false;  // found_ was found by the exact search
    bool proven_ = true;
    bool complete_ = true;
};

}  // namespace

const Ground::Sorted& Ground::sorted(std::uint64_t& steps) const {
    if (!in_order) {
        std::vector<BlockIndex> order = canonical_order(tally);
        Tally sorted(tally, order);
        in_order = std::make_shared<const Sorted>(Sorted{std::move(order), std::move(sorted)});
        const std::uint64_t compared = tally.weight_classes().size() > 1 ? tally.vertices(0) : 0;
        steps += steps_of_sorting * (tally.vertices_in_all() + 2 * compared);
    }
    return *in_order;
}

Found search(const Ground& ground, const Problem& problem, Effort& effort) {
    // Its own first answer is dear to itself alone; others of its order have half of that to have.
    const Temporary first_answer(effort.first_answer, effort.first_answer);
    Found found = Search(ground, problem, effort).run();
    ground.first_answer = std::max(ground.first_answer, effort.first_answer / 2);
    return found;
}

}  // namespace nvl72block
