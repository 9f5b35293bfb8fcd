// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/tree_search.hpp"

#include <algorithm>

namespace nvl72block {

void TreeSearch::fill_level(std::size_t level, std::uint64_t packing_budget) {
    for (Shape& shape : shapes_[level]) {
        if (level == 0)
            fill_base_block(shape);
        else if (is_packed(level, shape))
            fill_packed(level, shape, packing_budget);
        else if (!skipped(level))
            fill_aggregate(level, shape);
    }
}

std::optional<Plan> TreeSearch::run(std::uint64_t packing_budget) {
    for (std::size_t level = 0; level <= problem_.scope_level; ++level)
        fill_level(level, packing_budget);
    const Found found = best_scope();
    if (is_impossible(found.cost)) return std::nullopt;
    Plan plan;
    plan.cost = found.cost;
    emit(problem_.scope_level, found.scope, found.at, plan);
    if (!problem_.segmented) plan.close_segment();
    return plan;
}

void TreeSearch::fill_base_block(Shape& shape) {
    const BlockIndex block = shape.example;
    const std::uint32_t least =
        problem_.scope_level == 0 ? problem_.units : least_units(0, shape.max.units);
    const std::uint32_t forced =
        below_units(0) ? tally_.required(0, block) : block_range(tally_, problem_, block).least;
    shape.table = CostTable(shape.max, least);
    for (std::uint32_t units = std::max(least, forced); units <= shape.max.units; ++units) {
        const std::uint32_t nodes = units * unit_nodes(0);
        const bool used = units > 0;
        Cost cost{};
        layout_.add_block(cost, block, nodes);
        shape.table[{units, used ? shape.max.limited : 0, used ? shape.max.blocks : 0}] = cost;
    }
}

void TreeSearch::fill_aggregate(std::size_t level, Shape& shape) {
    const std::uint32_t first = tally_.first_child(level, shape.example);
    const std::uint32_t last = tally_.last_child(level, shape.example);
    if (last - first > 1) merge_children(level, shape);
    finish(level, shape, last - first > 1 ? shape.suffix.front() : child_shape(level, first).table);
}

/// suffix[c] joins the children from c on; the last child needs no table of its own.
void TreeSearch::merge_children(std::size_t level, Shape& shape) {
    const std::uint32_t first = tally_.first_child(level, shape.example);
    const std::uint32_t last = tally_.last_child(level, shape.example);
    shape.suffix.resize(last - first - 1);
    const bool converts = problem_.large_segments() && level == problem_.unit_level;
    for (std::uint32_t child = last - 1; child-- > first;) {
        const CostTable& left = child_shape(level, child).table;
        const CostTable& right = child + 2 == last ? child_shape(level, last - 1).table
                                                   : shape.suffix[child + 1 - first];
        const At max = suffix_max(level, shape, child);
        CostTable& sum = shape.suffix[child - first];
        const bool target_only = level == problem_.scope_level && child == first && !converts;
        const std::uint32_t most = target_only ? std::min(problem_.units, max.units) : max.units;
        const std::uint32_t least = target_only ? most : least_units(level - 1, max.units);
        sum = CostTable(max, least);
        left.for_each_possible([&](const At& a, const Cost& cost_a) {
            if (a.units > most) return;
            const std::uint32_t from = least > a.units ? least - a.units : 0;
            right.for_each_possible(from, most - a.units, [&](const At& b, const Cost& cost_b) {
                const At at{a.units + b.units, a.limited + b.limited, a.blocks + b.blocks};
                if (at.limited > max.limited || at.blocks > max.blocks) return;
                Cost cost = cost_a;
                layout_.add(cost, cost_b);
                Cost& best = sum[at];
                if (layout_.less(cost, best)) best = cost;
            });
        });
    }
}

void TreeSearch::finish(std::size_t level, Shape& shape, const CostTable& merged) {
    const bool converts = problem_.large_segments() && level == problem_.unit_level;
    shape.table = CostTable(shape.max, converts ? 0 : merged.least_units());
    merged.for_each_possible([&](At at, Cost cost) {
        const std::uint32_t nodes = at.units * unit_nodes(level - 1);
        if (converts) {
            if (at.units % problem_.unit_nodes != 0) return;
            at.units /= problem_.unit_nodes;
        }
        if (at.units > shape.max.units) return;
        if (problem_.limit != 0 && level == problem_.limited_level)
            at.limited = at.units > 0 ? 1 : 0;
        layout_.add_aggregate(cost, level, shape.example, nodes);
        Cost& best = shape.table[at];
        if (layout_.less(cost, best)) best = cost;
    });
}

/// The state of the joined children that finish() turned into `at`.
TreeSearch::At TreeSearch::unfinished(std::size_t level, const At& at) const {
    At before = at;
    if (problem_.large_segments() && level == problem_.unit_level)
        before.units *= problem_.unit_nodes;
    if (problem_.limit != 0 && level == problem_.limited_level) before.limited = 0;
    return before;
}

namespace {

/// What the blocks above a scope cost. Scopes are visited in order, so most of them share their
/// ancestors with the one before.
class Ancestors {
  public:
    Ancestors(const Tally& tally, const CostLayout& layout, const Problem& problem)
        : tally_(tally),
          layout_(layout),
          problem_(problem),
          known_(tally.whole_level(), no_block),
          costs_(tally.whole_level() + 1) {}

    /// Goes to another scope; whether the blocks above it cost otherwise than those before.
    bool move_to(std::uint32_t scope) {
        const std::size_t lowest = problem_.scope_level + 1;
        std::size_t common = lowest;  // from there up the ancestors are those before
        while (common < tally_.whole_level() && known_[common] != ancestor(scope, common)) ++common;
        bool differs = false;
        for (std::size_t level = common; level-- > lowest;) {
            const std::uint32_t index = ancestor(scope, level);
            differs = differs || !alike(level, known_[level], index);
            known_[level] = index;
            if (differs) count(level);
        }
        return differs;
    }

    /// Adds it to `cost`, what the scope itself costs.
    void add(Cost& cost) const {
        if (problem_.scope_level >= tally_.whole_level()) return;
        layout_.add(cost, costs_[problem_.scope_level + 1][layout_.breaks(cost) ? 1 : 0]);
    }

  private:
    [[nodiscard]] std::uint32_t ancestor(std::uint32_t scope, std::size_t level) const {
        const auto levels = tally_.topology().levels();
        return scope >> (levels[level].exponent - levels[problem_.scope_level].exponent);
    }
    [[nodiscard]] bool alike(std::size_t level, std::uint32_t a, std::uint32_t b) const {
        return a != no_block && tally_.free(level, a) == tally_.free(level, b) &&
               tally_.whole(level, a) == tally_.whole(level, b);
    }
    void count(std::size_t level) {
        costs_[level] = costs_[level + 1];
        for (std::size_t breaks = 0; breaks < 2; ++breaks)
            layout_.add_aggregate(costs_[level][breaks], level, known_[level], problem_.nodes,
                                  breaks != 0);
    }

    const Tally& tally_;
    const CostLayout& layout_;
    const Problem& problem_;
    std::vector<std::uint32_t> known_;        // per level: the ancestor that the costs are of
    std::vector<std::array<Cost, 2>> costs_;  // per level: from there up; without and with a
                                              // broken base block
};

}  // namespace

TreeSearch::Found TreeSearch::best_scope() const {
    Found best;
    const std::size_t scope_level = problem_.scope_level;
    Ancestors ancestors(tally_, layout_, problem_);
    const Shape* last = nullptr;
    for (std::uint32_t scope = 0; scope < tally_.vertices(scope_level); ++scope) {
        if (tally_.required(scope_level, scope) != tally_.required_in_blocks()) continue;
        const Shape& shape = shapes_[scope_level][shape_of_[scope_level][scope]];
        if (shape.max.units < problem_.units) continue;
        // The same as the scope before in all that counts, and behind it: on a site of equal racks
        // that is the rule.
        if (!ancestors.move_to(scope) && &shape == last) continue;
        last = &shape;
        for (At at{problem_.units, 0, 0}; at.limited <= shape.max.limited; ++at.limited)
            for (at.blocks = 0; at.blocks <= shape.max.blocks; ++at.blocks) {
                Cost cost = shape.table[at];
                if (is_impossible(cost)) continue;
                ancestors.add(cost);
                if (layout_.less(cost, best.cost)) best = {scope, at, cost};
            }
    }
    return best;
}

void TreeSearch::emit(std::size_t level, std::uint32_t index, const At& at, Plan& plan) const {
    if (at.units == 0) return;
    if (level == 0) {
        if (below_units(0) || !problem_.segmented) {
            plan.shares.push_back({index, at.units});
            return;
        }
        for (std::uint32_t unit = 0; unit < at.units; ++unit) {
            plan.shares.push_back({index, problem_.unit_nodes});
            plan.close_segment();
        }
        return;
    }
    const Shape& shape = shapes_[level][shape_of_[level][index]];
    const bool at_units = problem_.large_segments() && level == problem_.unit_level;
    if (at_units && !shape.packing.layers.empty()) {
        emit_packed(level, index, at, plan);
        return;
    }
    const At before = unfinished(level, at);
    const std::uint32_t first = tally_.first_child(level, shape.example);
    const bool single = tally_.last_child(level, shape.example) - first == 1;
    const Cost& target =
        single ? child_shape(level, first).table[before] : shape.suffix.front()[before];
    if (!at_units) {
        emit_children(level, index, before, target, plan);
        return;
    }
    Plan inside;
    emit_children(level, index, before, target, inside);
    append_segments(plan, inside.shares, problem_.unit_nodes);
}

/// Splits `at` among the children: the first child gets the most that the best cost allows, then
/// the second, and so on (preference 6).
void TreeSearch::emit_children(std::size_t level, std::uint32_t index, At at, const Cost& target,
                               Plan& plan) const {
    const Shape& shape = shapes_[level][shape_of_[level][index]];
    const std::uint32_t first = tally_.first_child(level, index);
    const std::uint32_t last = tally_.last_child(level, index);
    Cost rest = target;
    for (std::uint32_t child = first; child < last; ++child) {
        const CostTable& left = child_shape(level, child).table;
        if (child + 1 == last) {
            emit(level - 1, child, at, plan);
            return;
        }
        const CostTable& right = child + 2 == last ? child_shape(level, child + 1).table
                                                   : shape.suffix[child + 1 - first];
        At pick;
        bool found = false;
        left.for_each_possible([&](const At& a, const Cost& cost_a) {
            if (a.units > at.units || a.limited > at.limited || a.blocks > at.blocks) return;
            const At b{at.units - a.units, at.limited - a.limited, at.blocks - a.blocks};
            if (b.units > right.max().units || b.limited > right.max().limited ||
                b.blocks > right.max().blocks || is_impossible(right[b]))
                return;
            Cost cost = cost_a;
            layout_.add(cost, right[b]);
            if (cost == rest && (!found || a.units > pick.units)) {
                pick = a;
                found = true;
            }
        });
        emit(level - 1, child, pick, plan);
        at = {at.units - pick.units, at.limited - pick.limited, at.blocks - pick.blocks};
        rest = right[at];
    }
}

}  // namespace nvl72block
