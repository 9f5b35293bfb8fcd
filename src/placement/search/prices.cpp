// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/prices.hpp"

#include <algorithm>
#include <limits>

namespace nvl72block {
namespace {

/// What a node is worth; prices are whole numbers in the same measure.
constexpr std::int64_t node_worth = 1 << 12;
/// The price of what an answer may not have at all.
constexpr std::int64_t forbidden = std::int64_t{1} << 40;
/// Worth of what is impossible; sums of it stay in range.
constexpr std::int64_t impossible = -(std::int64_t{1} << 50);
/// Trials for one price.
constexpr int most_trials = 12;
/// Trials that finding a price takes at least: none, the largest, and the one that is kept.
constexpr std::uint64_t least_trials = 3;

std::int64_t in_block(const Component& component, std::uint32_t nodes, const std::uint64_t* cost) {
    if (component.kind == Component::Kind::used) return component.level == 0 && nodes > 0 ? 1 : 0;
    return component.level == 0 || component.kind == Component::Kind::heavier
               ? static_cast<std::int64_t>(component.of(cost))
               : 0;
}

std::int64_t in_aggregate(const Component& component, std::size_t level, bool broken) {
    if (component.level != level) return 0;
    if (component.kind == Component::Kind::used) return 1;
    return component.kind == Component::Kind::broken && broken ? 1 : 0;
}

}  // namespace

Prices::Prices(const CostLayout& layout, const ShapeTree& tree,
               const std::vector<LabelTable>& costs, Effort& effort)
    : tally_(layout.tally()),
      layout_(layout),
      problem_(tree.problem()),
      tree_(tree),
      costs_(costs),
      effort_(effort),
      most_worth_(problem_.scope_level + 1),
      below_whole_(problem_.scope_level + 1),
      last_step_(effort.steps + effort.left() / 2) {
    for (std::size_t level = 0; level <= problem_.scope_level; ++level) {
        most_worth_[level].resize(tree.shapes(level).size());
        below_whole_[level].resize(tree.shapes(level).size());
        if (level == 0) continue;
        for (const ShapeTree::Shape& shape : tree.shapes(level))
            children_ += tally_.children(level, shape.example).size();
    }
    for (const LabelTable& table : costs) labels_ += table.size();
    evaluate();
}

std::int64_t Prices::worth_of_block(std::uint32_t nodes, const std::uint64_t* cost) const {
    std::int64_t worth = node_worth * nodes;
    for (const Scarce& scarce : scarce_)
        if (scarce.price != 0) worth -= scarce.price * in_block(scarce.component, nodes, cost);
    return worth;
}

std::uint32_t Prices::most_used(std::size_t level) const {
    std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    for (const Scarce& scarce : scarce_)
        if (scarce.component.kind == Component::Kind::used && scarce.component.level == level)
            most = std::min(most, scarce.bound);
    return static_cast<std::uint32_t>(most);
}

void Prices::evaluate() {
    charges_.assign(most_worth_.size(), {});
    for (std::size_t level = 1; level < charges_.size(); ++level)
        for (const auto& [component, bound, price] : scarce_)
            for (const std::size_t broken : {0, 1})
                charges_[level][broken] += price * in_aggregate(component, level, broken != 0);
    for (std::size_t shape = 0; shape < most_worth_[0].size(); ++shape) evaluate_block(shape);
    for (std::size_t level = 1; level < most_worth_.size(); ++level)
        for (std::size_t shape = 0; shape < most_worth_[level].size(); ++shape)
            evaluate_aggregate(level, shape);
    std::int64_t most = impossible;
    for (const std::uint32_t scope : tree_.scopes())
        most = std::max(most, most_worth(problem_.scope_level,
                                         tree_.shape_of(problem_.scope_level, scope), true));
    slack_ = most - node_worth * problem_.nodes;
    for (const Scarce& scarce : scarce_) slack_ += scarce.price * scarce.bound;
}

void Prices::evaluate_block(std::size_t shape) {
    const LabelTable& costs = costs_[shape];
    MostWorth& best = most_worth_[0][shape];
    best.fill({impossible, 0});
    effort_.steps += costs.size() * (1 + scarce_.size() / 2);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const std::uint32_t nodes = costs.key(i).units * tree_.unit_nodes(0);
        const std::int64_t worth = worth_of_block(nodes, costs.cost(i));
        for (std::size_t breaks = layout_.breaks(costs.cost(i)) ? 1 : 0; breaks < 2; ++breaks) {
            if (worth <= best[breaks].worth) continue;
            best[breaks].worth = worth;
            if (!scarce_.empty())
                best[breaks].used = in_block(scarce_.back().component, nodes, costs.cost(i));
        }
    }
}

void Prices::evaluate_aggregate(std::size_t level, std::size_t shape) {
    const std::uint32_t vertex = tree_.shapes(level)[shape].example;
    const Vertices children = tally_.children(level, vertex);
    effort_.steps += children.size();
    MostWorth sum;
    for (const std::uint32_t child : children) {
        const MostWorth& part = most_worth_[level - 1][tree_.shape_of(level - 1, child)];
        for (std::size_t breaks = 0; breaks < 2; ++breaks) {
            sum[breaks].worth = std::max(impossible, sum[breaks].worth + part[breaks].worth);
            sum[breaks].used += part[breaks].used;
        }
    }
    for (std::size_t breaks = 0; breaks < 2; ++breaks) {
        sum[breaks].worth =
            std::max(impossible, sum[breaks].worth - charge(level, vertex, breaks != 0));
        if (!scarce_.empty())
            sum[breaks].used += in_aggregate(scarce_.back().component, level,
                                             breaks != 0 && tally_.whole(level, vertex));
    }
    if (tally_.required(level, vertex) == 0 && sum[0].worth < 0) sum[0] = {};
    if (sum[1].worth < sum[0].worth) sum[1] = sum[0];
    most_worth_[level][shape] = sum;
}

Prices::Point Prices::try_price(std::int64_t price) {
    scarce_.back().price = price;
    evaluate();
    const std::uint32_t scope = tree_.shape_of(problem_.scope_level, tree_.scopes().first);
    const Best& root = most_worth_[problem_.scope_level][scope][1];
    return {price, slack_, scarce_.back().bound - root.used};
}

/// The slack is convex and piecewise linear in one price; its slope is the bound less what the best
/// parts use. Of all prices with the least slack the lowest: parts then differ most in worth.
Prices::Point Prices::find_price() {
    Point low = try_price(0);
    if (low.slope >= 0) return low;
    // More than all nodes are worth.
    Point high = try_price(node_worth * (std::int64_t{tally_.in_blocks()} + 1));
    if (high.slope < 0) return high;
    for (int trial = 0; trial < most_trials && high.price - low.price > 1 && may_try(); ++trial) {
        // Where the two lines meet.
        const double rise =
            static_cast<double>(high.slack - low.slack) -
            static_cast<double>(high.slope) * static_cast<double>(high.price - low.price);
        const double meet = rise / static_cast<double>(low.slope - high.slope);
        const std::int64_t price =
            std::clamp(low.price + static_cast<std::int64_t>(meet), low.price + 1, high.price - 1);
        const Point point = try_price(price);
        (point.slope < 0 ? low : high) = point;
    }
    return try_price(low.slack < high.slack ? low.price : high.price);
}

/// Sets a price. Whether it proves a component, as each price above its slack does: it, or a higher
/// one with the same slack.
bool Prices::adjust() {
    const Point found = find_price();
    if (found.slack < found.price) return true;
    if (found.slope != 0 || !may_try(2)) return false;
    const bool proven = try_price(found.slack + 1).slack == found.slack;
    (void)try_price(found.price);
    return proven;
}

void Prices::price_limits() {
    const auto limit = [&](std::size_t level, std::uint32_t bound) {
        if (bound == 0 || !possible()) return;
        scarce_.push_back({{Component::Kind::used, level}, bound});
        if (may_try(least_trials)) adjust();
    };
    limit(problem_.limited_level, problem_.limit);
    limit(0, problem_.max_base_blocks);
    find_below_whole();
}

/// Whether the component is proven to be the least possible. Slots in blocks of higher levels have
/// no price: those in base blocks are bounded by all that may be lost, and bound the others.
bool Prices::price(const Component& component, std::int64_t bound) {
    if (component.kind == Component::Kind::left && component.level > 0) return bound == 0;
    scarce_.push_back({component, bound});
    if (bound > 0) return adjust();
    scarce_.back().price = forbidden;
    evaluate();
    return true;
}

void Prices::price_components(const Cost& known) {
    for (const Component& component : layout_.components()) {
        if (!possible() || !may_try(least_trials)) break;
        // What happens above the scope is the same for most answers in it, but has no price.
        const bool of_level = component.kind != Component::Kind::heavier;
        if (of_level && component.level > problem_.scope_level) break;
        if (!price(component, static_cast<std::int64_t>(component.of(known.data())))) break;
    }
    if (possible()) evaluate();
    find_below_whole();
}

void Prices::find_below_whole() {
    std::vector<std::uint8_t> priced(problem_.scope_level + 1);
    for (const Scarce& scarce : scarce_)
        if (scarce.price != 0 && scarce.component.kind == Component::Kind::broken)
            priced[scarce.component.level] = 1;
    for (std::size_t level = problem_.scope_level; level > 0; --level)
        for (std::size_t shape = 0; shape < below_whole_[level].size(); ++shape) {
            const std::uint32_t vertex = tree_.shapes(level)[shape].example;
            const bool below = below_whole_[level][shape] != 0 ||
                               (priced[level] != 0 && tally_.whole(level, vertex));
            if (!below) continue;
            for (const std::uint32_t child : tally_.children(level, vertex))
                below_whole_[level - 1][tree_.shape_of(level - 1, child)] = 1;
        }
}

}  // namespace nvl72block
