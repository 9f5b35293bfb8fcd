// SPDX-License-Identifier: GPL-2.0-or-later
//
// TreeSearch, vertices where segments must be packed: spread segments that are larger than a base
// block, and segments that may use only some of the lower blocks.
#include <algorithm>

#include "placement/greedy_fill.hpp"
#include "placement/greedy_search.hpp"
#include "placement/tree_search.hpp"

namespace nvl72block {

/// The parts are base blocks where a segment must keep others out of them, else the vertices of
/// the level below. Parts are kept relative to the first one of the shape's example, so that they
/// serve every vertex of the shape.
void TreeSearch::fill_packed(std::size_t level, Shape& shape, std::uint64_t budget) {
    const std::size_t part_level = problem_.spread ? 0 : level - 1;
    const BlockIndex first_block = tally_.first_block(level, shape.example);
    const unsigned exponent = tally_.topology().levels()[level - 1].exponent;
    std::vector<PackingPart> parts;
    const std::uint32_t begin =
        problem_.spread ? first_block : tally_.first_child(level, shape.example);
    const std::uint32_t end = problem_.spread ? tally_.last_block(level, shape.example)
                                              : tally_.last_child(level, shape.example);
    for (std::uint32_t index = begin; index < end; ++index) {
        const std::uint32_t free = tally_.free(part_level, index);
        if (free == 0) continue;
        const std::uint32_t group =
            problem_.spread ? (index >> exponent) - (first_block >> exponent) : index - begin;
        parts.push_back({free, group, tally_.required(part_level, index)});
        shape.parts.push_back(index - begin);
        shape.groups.push_back(group);
    }
    const PackingRule rule{problem_.unit_nodes, shape.max.units, problem_.segment_rule.limit,
                           problem_.spread};
    shape.packing = pack_segments(parts, rule, budget, packing_steps_);
    exact_ = exact_ && shape.packing.exact;
    complete_ = complete_ && shape.packing.complete;

    shape.table = CostTable(shape.max);
    for (std::uint32_t units = 0; units < shape.packing.layers.size(); ++units)
        for (const PackingState& state : shape.packing.layers[units]) {
            const std::vector<Cost> costs = packed_costs(level, shape, state);
            for (std::uint32_t blocks = 0; blocks < costs.size(); ++blocks) {
                Cost& best = shape.table[{units, 0, blocks}];
                if (layout_.less(costs[blocks], best)) best = costs[blocks];
            }
        }
}

/// What a state costs, by base blocks used (one entry where they are not limited).
std::vector<Cost> TreeSearch::packed_costs(std::size_t level, const Shape& shape,
                                           const PackingState& state) const {
    std::vector<Cost> costs(shape.max.blocks + 1U, impossible_cost());
    std::uint32_t nodes = 0;
    if (problem_.spread) {
        Cost cost{};
        std::size_t part = 0;
        if (!add_taken(cost, level, shape.example, shape, state, part, nodes)) return costs;
        const auto used = static_cast<std::uint32_t>(
            std::count_if(state.taken.begin(), state.taken.end(), [](auto t) { return t > 0; }));
        if (problem_.max_base_blocks == 0)
            costs[0] = cost;
        else if (used <= shape.max.blocks)
            costs[used] = cost;
        return costs;
    }
    for (const std::uint16_t taken : state.taken) nodes += taken;
    costs = sums_of_parts(shape, state).back();
    for (Cost& cost : costs)
        if (!is_impossible(cost)) layout_.add_aggregate(cost, level, shape.example, nodes);
    return costs;
}

/// Adds the cost of the base blocks of a vertex and of every level up to it. False when a base
/// block gives fewer nodes than are required there.
bool TreeSearch::add_taken(Cost& cost, std::size_t level, std::uint32_t index, const Shape& shape,
                           const PackingState& state, std::size_t& part,
                           std::uint32_t& nodes) const {
    if (level == 0) {
        const std::uint32_t begin = tally_.first_block(problem_.unit_level, shape.example);
        std::uint32_t taken = 0;
        if (part < shape.parts.size() && shape.parts[part] + begin == index)
            taken = state.taken[part++];
        if (taken < tally_.required(0, index)) return false;
        layout_.add_block(cost, index, taken);
        nodes += taken;
        return true;
    }
    Cost own{};
    std::uint32_t own_nodes = 0;
    for (std::uint32_t child = tally_.first_child(level, index);
         child < tally_.last_child(level, index); ++child)
        if (!add_taken(own, level - 1, child, shape, state, part, own_nodes)) return false;
    layout_.add_aggregate(own, level, index, own_nodes);
    layout_.add(cost, own);
    nodes += own_nodes;
    return true;
}

/// Sums the children's own tables, keeping apart how many base blocks they use: entry c is what
/// the first c children cost.
std::vector<std::vector<Cost>> TreeSearch::sums_of_parts(const Shape& shape,
                                                         const PackingState& state) const {
    std::vector<std::vector<Cost>> sums(1, {shape.max.blocks + 1U, impossible_cost()});
    sums[0][0] = Cost{};
    for (std::uint32_t position = 0; position < child_count(shape); ++position) {
        const CostTable& table = child_table(shape, position);
        const std::uint32_t taken = taken_from(shape, state, position);
        const std::vector<Cost>& costs = sums.back();
        std::vector<Cost> next(costs.size(), impossible_cost());
        for (std::uint32_t blocks = 0; blocks < costs.size(); ++blocks) {
            if (is_impossible(costs[blocks])) continue;
            for (std::uint32_t more = 0; more <= table.max().blocks; ++more) {
                if (taken > table.max().units || blocks + more >= costs.size()) continue;
                const Cost& cost = table[{taken, 0, more}];
                if (is_impossible(cost)) continue;
                Cost sum = costs[blocks];
                layout_.add(sum, cost);
                if (layout_.less(sum, next[blocks + more])) next[blocks + more] = sum;
            }
        }
        sums.push_back(std::move(next));
    }
    return sums;
}

std::uint32_t TreeSearch::child_count(const Shape& shape) const {
    return tally_.last_child(problem_.unit_level, shape.example) -
           tally_.first_child(problem_.unit_level, shape.example);
}

const CostTable& TreeSearch::child_table(const Shape& shape, std::uint32_t position) const {
    const std::size_t level = problem_.unit_level;
    return child_shape(level, tally_.first_child(level, shape.example) + position).table;
}

/// What a state takes from the child at a position; a child with nothing to give is no part.
std::uint32_t TreeSearch::taken_from(const Shape& shape, const PackingState& state,
                                     std::uint32_t position) {
    const auto part = std::lower_bound(shape.parts.begin(), shape.parts.end(), position);
    if (part == shape.parts.end() || *part != position) return 0;
    return state.taken[static_cast<std::size_t>(part - shape.parts.begin())];
}

/// Preference 6 between two states of a packed vertex: most in the first group, then in the second,
/// …; then the same by parts.
bool TreeSearch::lower_index(const Shape& shape, const PackingState& a, const PackingState& b) {
    std::int64_t sum = 0;
    for (std::size_t part = 0; part < a.taken.size(); ++part) {
        sum += std::int64_t{a.taken[part]} - b.taken[part];
        const bool group_ends =
            part + 1 == a.taken.size() || shape.groups[part] != shape.groups[part + 1];
        if (group_ends && sum != 0) return sum > 0;
    }
    return a.taken > b.taken;
}

void TreeSearch::emit_packed(std::size_t level, std::uint32_t index, const At& at,
                             Plan& plan) const {
    const Shape& shape = shapes_[level][shape_of_[level][index]];
    const PackingState* best = nullptr;
    for (const PackingState& state : shape.packing.layers[at.units])
        if (packed_costs(level, shape, state)[at.blocks] == shape.table[at] &&
            (best == nullptr || lower_index(shape, state, *best)))
            best = &state;
    if (best == nullptr) return;  // the table holds only what some state costs
    if (problem_.spread) {
        const PackingState* state = best;
        for (std::uint32_t units = at.units; units > 0; --units) {
            emit_packed_segment(shape, tally_.first_block(level, index), *state, plan);
            state = &shape.packing.layers[units - 1][state->previous];
        }
        return;
    }
    emit_packed_lower(level, index, at, *best, plan);
}

void TreeSearch::emit_packed_segment(const Shape& shape, std::uint32_t first_block,
                                     const PackingState& state, Plan& plan) const {
    for (std::size_t part = 0; part < shape.parts.size(); ++part)
        if (state.segment[part] > 0)
            plan.shares.push_back({first_block + shape.parts[part], state.segment[part]});
    plan.close_segment();
}

/// Each lower vertex chooses its base blocks for all segments together; the segments then draw
/// their shares from it in turn.
void TreeSearch::emit_packed_lower(std::size_t level, std::uint32_t index, const At& at,
                                   const PackingState& best, Plan& plan) const {
    const Shape& shape = shapes_[level][shape_of_[level][index]];
    std::vector<std::vector<Share>> drawn = shares_of_parts(level, index, at, best);
    const PackingState* state = &best;
    for (std::uint32_t units = at.units; units > 0; --units) {
        for (std::size_t part = 0; part < shape.parts.size(); ++part) {
            std::uint32_t rest = state->segment[part];
            auto& from = drawn[shape.parts[part]];
            while (rest > 0) {
                const std::uint32_t nodes = std::min(rest, from.back().nodes);
                plan.shares.push_back({from.back().block, nodes});
                rest -= nodes;
                from.back().nodes -= nodes;
                if (from.back().nodes == 0) from.pop_back();
            }
        }
        plan.close_segment();
        state = &shape.packing.layers[units - 1][state->previous];
    }
}

/// The base blocks that each child of a packed vertex takes its nodes from, by position of the
/// child, last block first.
std::vector<std::vector<Share>> TreeSearch::shares_of_parts(std::size_t level, std::uint32_t index,
                                                            const At& at,
                                                            const PackingState& best) const {
    const Shape& shape = shapes_[level][shape_of_[level][index]];
    const auto sums = sums_of_parts(shape, best);
    std::vector<std::vector<Share>> drawn(child_count(shape));
    std::uint32_t blocks = at.blocks;
    for (std::uint32_t position = child_count(shape); position-- > 0;) {
        const CostTable& table = child_table(shape, position);
        At pick{taken_from(shape, best, position), 0, 0};
        for (; pick.blocks <= std::min(blocks, table.max().blocks); ++pick.blocks) {
            const Cost& before = sums[position][blocks - pick.blocks];
            if (is_impossible(before) || is_impossible(table[pick])) continue;
            Cost sum = before;
            layout_.add(sum, table[pick]);
            if (sum == sums[position + 1][blocks]) break;
        }
        blocks -= pick.blocks;
        Plan inside;
        emit(level - 1, tally_.first_child(level, index) + position, pick, inside);
        drawn[position].assign(inside.shares.rbegin(), inside.shares.rend());
    }
    return drawn;
}

/// Whether each vertex can give its amount: what lies between the least and the most that it can
/// give need not be possible where nodes are required.
bool TreeSearch::all_possible(const std::vector<Amount>& way) const {
    return std::all_of(way.begin(), way.end(), [&](const Amount& amount) {
        const std::size_t level = problem_.unit_level;
        const CostTable& table = shapes_[level][shape_of_[level][amount.vertex]].table;
        return !is_impossible(table[{amount.units, 0, 0}]);
    });
}

std::optional<Plan> TreeSearch::run_packing(std::uint64_t packing_budget) {
    for (std::size_t level = 0; level <= problem_.unit_level; ++level)
        fill_level(level, packing_budget);
    std::vector<UnitRange> ranges(tally_.vertices(problem_.unit_level));
    for (std::uint32_t vertex = 0; vertex < ranges.size(); ++vertex) {
        const CostTable& table =
            shapes_[problem_.unit_level][shape_of_[problem_.unit_level][vertex]].table;
        ranges[vertex] = {~std::uint32_t{0}, 0};
        table.for_each_possible([&](const At& at, const Cost&) {
            ranges[vertex].least = std::min(ranges[vertex].least, at.units);
            ranges[vertex].most = std::max(ranges[vertex].most, at.units);
        });
    }
    std::optional<Plan> best;
    for (std::uint32_t scope = 0; scope < tally_.vertices(problem_.scope_level); ++scope) {
        if (tally_.required(problem_.scope_level, scope) != tally_.required_in_blocks()) continue;
        for (const std::vector<Amount>& way : fill(tally_, layout_, problem_, scope, ranges)) {
            if (!all_possible(way)) {
                complete_ = false;
                continue;
            }
            Plan plan;
            for (const Amount& amount : way)
                emit(problem_.unit_level, amount.vertex, {amount.units, 0, 0}, plan);
            plan.cost = cost_of(tally_, layout_, plan);
            if (!best || layout_.less(plan.cost, best->cost)) best = std::move(plan);
        }
    }
    return best;
}

}  // namespace nvl72block
