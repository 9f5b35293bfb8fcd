// SPDX-License-Identifier: GPL-2.0-or-later
//
// TreeSearch, first part: the tables. tree_division.cpp reads the answer back from them.
#include "placement/search/tree_search.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

/// A label that is kept takes as long as so many sums: it is looked up, sorted and copied.
constexpr std::uint64_t steps_per_label = 6;

}  // namespace

TreeSearch::TreeSearch(const CostLayout& layout, const ShapeTree& tree, std::optional<Cost> known,
                       Effort& effort)
    : tally_(layout.tally()),
      layout_(layout),
      problem_(tree.problem()),
      tree_(tree),
      costs_(block_costs(layout, tree, effort)),
      prices_(layout, tree, costs_, effort),
      known_(known),
      effort_(effort),
      collector_(layout.words()),
      vertices_(problem_.scope_level + 1) {
    for (std::size_t level = 0; level <= problem_.scope_level; ++level)
        vertices_[level].resize(tree.shapes(level).size());
}

void TreeSearch::fill() {
    for (std::size_t level = 0; level <= problem_.scope_level && !ended_; ++level)
        fill_level(level);
}

std::optional<Division> TreeSearch::run() {
    fill();
    // Where the budget has ended, what the tables hold by then is an answer still.
    const Found found = best_scope();
    if (is_impossible(found.cost)) return std::nullopt;
    return division_of(found);
}

void TreeSearch::fill_level(std::size_t level) {
    if (level == 0) {
        fill_blocks();
        return;
    }
    const bool skipped = problem_.spread && tree_.below_units(level);  // packing looks at blocks
    for (std::uint32_t shape = 0; shape < vertices_[level].size() && !ended_ && !skipped; ++shape) {
        if (tree_.is_packed(level, tree_.shapes(level)[shape]))
            fill_packed(level, shape);
        else
            fill_aggregate(level, shape);
    }
}

void TreeSearch::note(const LabelTable& table) {
    bytes_ += table.bytes();
    effort_.steps += steps_per_label * table.size();
    ended_ = ended_ || effort_.left() == 0 || bytes_ > room_for_tables(tally_);
}

// ---- what is kept ------------------------------------------------------------------------------

bool TreeSearch::too_costly(const std::uint64_t* a, const std::uint64_t* b) const {
    if (!known_) return false;
    for (std::size_t i = 0; i < layout_.words(); ++i)
        if (a[i] + b[i] != (*known_)[i]) return a[i] + b[i] > (*known_)[i];
    return false;
}

bool TreeSearch::keeps(std::int64_t worth, const std::uint64_t* cost, const Frame& frame) const {
    const bool unbroken = frame.below_whole && !layout_.breaks(cost);
    return (unbroken ? frame.most_worth_unbroken : frame.most_worth) - worth <= prices_.slack();
}

void TreeSearch::fill_blocks() {
    static constexpr Cost nothing{};
    for (std::uint32_t shape = 0; shape < vertices_[0].size() && !ended_; ++shape) {
        Frame frame;
        frame.most_worth = prices_.most_worth(0, shape, true);
        frame.most_worth_unbroken = prices_.most_worth(0, shape, false);
        frame.below_whole = prices_.below_whole(0, shape);
        const LabelTable& costs = costs_[shape];
        LabelTable& table = vertices_[0][shape].table;
        effort_.steps += costs.size();
        table.reserve(costs.size(), layout_.words());
        for (std::size_t i = 0; i < costs.size(); ++i) {
            const std::uint64_t* cost = costs.cost(i);
            const std::uint32_t nodes = costs.key(i).units * tree_.unit_nodes(0);
            const std::int64_t worth = prices_.worth_of_block(nodes, cost);
            if (keeps(worth, cost, frame) && !too_costly(cost, nothing.data()))
                table.append(costs.key(i), worth, cost);
        }
        table.seal();
        note(table);
    }
}

// ---- joining children --------------------------------------------------------------------------

/// Of equal children only as many may give something as an answer may use; the first ones, so that
/// preference 6 holds.
std::vector<std::uint32_t> TreeSearch::active_children(std::size_t level,
                                                       std::uint32_t shape) const {
    const std::uint32_t example = tree_.shapes(level)[shape].example;
    const Vertices children = tally_.children(level, example);
    const std::uint32_t most =
        std::min({prices_.most_used(level - 1), tree_.most_alike(level),
                  tree_.below_units(level - 1) ? problem_.nodes : problem_.units});
    std::vector<std::uint32_t> active;
    std::vector<std::uint32_t> seen(vertices_[level - 1].size());
    for (const std::uint32_t child : children) {
        const std::uint32_t child_shape = tree_.shape_of(level - 1, child);
        const LabelTable& table = vertices_[level - 1][child_shape].table;
        const bool only_nothing = table.size() == 1 && table.key(0) == LabelKey{};
        const bool idle =
            tally_.required(level - 1, child) == 0 && (only_nothing || seen[child_shape] >= most);
        ++seen[child_shape];
        if (!idle) active.push_back(child - children.first);
    }
    return active;
}

void TreeSearch::add_child(Frame& frame, std::size_t level, std::uint32_t child) const {
    const std::uint32_t shape = tree_.shape_of(level - 1, child);
    frame.most_worth += prices_.most_worth(level - 1, shape, true);
    frame.most_worth_unbroken += prices_.most_worth(level - 1, shape, false);
}

void TreeSearch::fill_aggregate(std::size_t level, std::uint32_t shape) {
    join_children(level, shape);
    if (ended_) return;
    finish(level, shape,
           vertices_[level][shape].active.empty() ? LabelTable{} : together(level, shape, 0));
}

const LabelTable& TreeSearch::together(std::size_t level, std::uint32_t shape,
                                       std::size_t at) const {
    const Vertex& vertex = vertices_[level][shape];
    if (at < vertex.joined.size()) return vertex.joined[at];
    const Vertices children = tally_.children(level, tree_.shapes(level)[shape].example);
    return table(level - 1, children.first + vertex.active.back());
}

void TreeSearch::join_children(std::size_t level, std::uint32_t shape) {
    const ShapeTree::Shape& of = tree_.shapes(level)[shape];
    const Vertices children = tally_.children(level, of.example);
    const std::uint32_t first = children.first;
    Vertex& vertex = vertices_[level][shape];
    vertex.active = active_children(level, shape);
    Frame frame;
    frame.below_whole = prices_.below_whole(level, shape) || tally_.whole(level, of.example);
    std::size_t given = 0;
    for (const std::uint32_t child : children)
        if (given < vertex.active.size() && vertex.active[given] == child - first)
            ++given;
        else
            add_child(frame, level, child);  // gives nothing, whatever it could
    if (vertex.active.size() < 2) return;
    vertex.joined.resize(vertex.active.size() - 1);
    add_child(frame, level, first + vertex.active.back());
    for (std::size_t at = vertex.joined.size(); at-- > 0 && !ended_;) {
        const std::uint32_t child = first + vertex.active[at];
        add_child(frame, level, child);
        frame.most = tree_.suffix_most(level, of, child);
        const bool target = level == problem_.scope_level && at == 0 && !tree_.converts(level);
        frame.most_units = target ? std::min(problem_.units, frame.most.units) : frame.most.units;
        frame.least_units =
            target ? tree_.wanted_units() : tree_.least_units(level - 1, frame.most.units);
        vertex.joined[at] = join(table(level - 1, child), together(level, shape, at + 1), frame);
        note(vertex.joined[at]);
    }
}

/// All sums of a label on the left and one on the right that keep to the frame.
LabelTable TreeSearch::join(const LabelTable& left, const LabelTable& right, const Frame& frame) {
    if (frame.least_units > frame.most_units) return {};
    collector_.start({frame.least_units, 0, 0},
                     {frame.most_units, frame.most.limited, frame.most.blocks});
    const std::int64_t least_any = frame.most_worth - prices_.slack();
    const std::int64_t least_unbroken =
        frame.below_whole ? frame.most_worth_unbroken - prices_.slack() : least_any;
    const std::uint64_t sum_steps = 1 + layout_.words() / 4;
    for (std::size_t i = 0; i < left.size() && effort_.left() > 0; ++i) {
        const LabelKey a = left.key(i);
        if (a.units > frame.most_units) break;
        const std::uint32_t from = frame.least_units > a.units ? frame.least_units - a.units : 0;
        const auto [begin, end] = right.with_units(from, frame.most_units - a.units);
        const bool breaks_a = layout_.breaks(left.cost(i));
        effort_.steps += (end - begin + 1) * sum_steps;
        for (std::size_t j = begin; j < end; ++j) {
            const std::int64_t worth = left.worth(i) + right.worth(j);
            if (worth < least_unbroken) continue;
            const LabelKey& b = right.key(j);
            const LabelKey sum{a.units + b.units, a.limited + b.limited, a.blocks + b.blocks};
            if (sum.limited > frame.most.limited || sum.blocks > frame.most.blocks) continue;
            if (worth < least_any && (breaks_a || layout_.breaks(right.cost(j)))) continue;
            if (too_costly(left.cost(i), right.cost(j))) continue;
            collector_.add(sum, worth, left.cost(i), right.cost(j));
        }
    }
    return collector_.finish();
}

/// Turns what the children of a vertex give together into what the vertex gives.
void TreeSearch::finish(std::size_t level, std::uint32_t shape, const LabelTable& joined) {
    const std::uint32_t example = tree_.shapes(level)[shape].example;
    const LabelKey& most = tree_.shapes(level)[shape].most;
    Frame frame;
    frame.most_worth = prices_.most_worth(level, shape, true);
    frame.most_worth_unbroken = prices_.most_worth(level, shape, false);
    frame.below_whole = prices_.below_whole(level, shape);
    static constexpr Cost nothing{};
    if (joined.size() > 0)
        collector_.start({}, {std::max(most.units, joined.key(joined.size() - 1).units),
                              most.limited, most.blocks});
    else
        collector_.start({}, {});
    // A vertex that gives nothing costs nothing, whatever its children are worth.
    const bool may_rest = tally_.required(level, example) == 0 && level < problem_.scope_level;
    if (may_rest && keeps(0, nothing.data(), frame))
        collector_.add({}, 0, nothing.data(), nothing.data());
    for (std::size_t i = 0; i < joined.size(); ++i) {
        LabelKey key = joined.key(i);
        if (key.units == 0) continue;
        const std::uint32_t nodes = key.units * tree_.unit_nodes(level - 1);
        if (tree_.converts(level)) {
            if (key.units % problem_.unit_nodes != 0) continue;
            key.units /= problem_.unit_nodes;
        }
        if (key.units > most.units) continue;
        if (problem_.limit != 0 && level == problem_.limited_level) key.limited = 1;
        Cost cost = joined.copy_of_cost(i);
        layout_.add_aggregate(cost, level, example, nodes);
        const std::int64_t worth =
            joined.worth(i) - prices_.charge(level, example, layout_.breaks(cost));
        if (!keeps(worth, cost.data(), frame) || too_costly(cost.data(), nothing.data())) continue;
        collector_.add(key, worth, cost.data(), nothing.data());
    }
    effort_.steps += joined.size();
    vertices_[level][shape].table = collector_.finish();
    note(vertices_[level][shape].table);
}

void TreeSearch::fill_packed(std::size_t level, std::uint32_t shape) {
    const ShapeTree::Shape& of = tree_.shapes(level)[shape];
    const bool last = level == problem_.scope_level;
    const std::uint32_t least = last ? problem_.units : tree_.least_units(level, of.most.units);
    Vertex& vertex = vertices_[level][shape];
    vertex.packed = pack_vertex({layout_, problem_, of.example}, least, of.most.units, effort_);
    exact_ = exact_ && vertex.packed.exact;
    complete_ = complete_ && vertex.packed.complete;
    collector_.start({}, of.most);
    static constexpr Cost nothing{};
    // What packing gives is not priced: it is worth the most that the vertex can be worth.
    const std::int64_t worth = prices_.most_worth(level, shape, true);
    for (const PackedWay& way : vertex.packed.ways) {
        LabelKey key{way.segments, 0, problem_.max_base_blocks == 0 ? 0 : way.base_blocks};
        if (key.units > of.most.units || key.blocks > of.most.blocks) continue;
        if (!too_costly(way.cost.data(), nothing.data()))
            collector_.add(key, key.units > 0 ? worth : std::min<std::int64_t>(worth, 0),
                           way.cost.data(), nothing.data());
    }
    vertex.table = collector_.finish();
    note(vertex.table);
}

}  // namespace nvl72block
