// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/tree_search.hpp"

#include <algorithm>
#include <compare>

namespace nvl72block {
namespace {

/// A label that is kept takes as long as so many sums: it is looked up, sorted and copied.
constexpr std::uint64_t steps_per_label = 6;
/// A table besides its labels: it is made room for, and given back.
constexpr std::uint64_t steps_per_table = 24;
/// A look into a hash.
constexpr std::uint64_t steps_per_lookup = 3;

/// Whether what lies above two vertices of a level costs the same for the same amount.
bool alike_above(const Tally& tally, std::size_t level, std::uint32_t a, std::uint32_t b) {
    for (; level + 1 < tally.whole_level(); ++level) {
        a >>= tally.topology().exponent_between(level, level + 1);
        b >>= tally.topology().exponent_between(level, level + 1);
        if (a == b) return true;
        if (!tally.alike(level + 1, a, b)) return false;
    }
    return true;
}

/// Preference 6, of divisions of one scope whose shares ascend: at the highest level where they
/// differ, which of them takes more from the first vertex that they treat differently.
bool comes_first(const Tally& tally, std::size_t scope_level, const Division& a,
                 const Division& b) {
    const auto earlier = [](const Share& x, const Share& y) {
        return x.block != y.block ? x.block <=> y.block : y.nodes <=> x.nodes;
    };
    for (std::size_t level = scope_level; level-- > 0;) {
        const unsigned exponent = tally.topology().exponent_between(0, level);
        const std::vector<Share> of_a = joined(a.shares, exponent);
        const std::vector<Share> of_b = joined(b.shares, exponent);
        const auto order = std::lexicographical_compare_three_way(
            of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), earlier);
        if (std::is_neq(order)) return std::is_lt(order);
    }
    return false;
}

}  // namespace

TreeSearch::TreeSearch(const CostLayout& layout, const ShapeTree& tree,
                       const std::optional<Division>& known, Effort& effort)
    : tally_(layout.tally()),
      layout_(layout),
      problem_(tree.problem()),
      tree_(tree),
      costs_(block_costs(layout, tree, effort)),
      prices_(layout, tree, costs_, effort),
      known_(known ? known->cost : impossible_cost()),
      effort_(effort),
      collector_(layout.words()),
      vertices_(problem_.scope_level + 1) {
    for (std::size_t level = 0; level <= problem_.scope_level; ++level)
        vertices_[level].resize(tree.shapes(level).size());
}

void TreeSearch::fill() {
    fill_blocks();
    for (std::size_t level = 1; level <= problem_.scope_level; ++level) {
        if (problem_.spread && tree_.below_units(level)) continue;  // packing looks at base blocks
        for (std::uint32_t shape = 0; shape < vertices_[level].size() && !ended_; ++shape) {
            if (tree_.is_packed(level, tree_.shapes(level)[shape])) {
                fill_packed(level, shape);
                continue;
            }
            join_children(level, shape);
            if (!ended_) finish(level, shape, together(level, shape, 0));
        }
    }
}

std::optional<Division> TreeSearch::run() {
    fill();
    // Where the budget has ended, what the tables hold by then is an answer still.
    const Found found = best_scope();
    if (is_impossible(found.cost.data())) return std::nullopt;
    return division_of(found);
}

void TreeSearch::note(const LabelTable& table) {
    bytes_ += table.bytes();
    effort_.steps += steps_per_table + steps_per_label * table.size();
    ended_ = ended_ || effort_.left() == 0 || bytes_ > room_for_tables(tally_);
}

bool TreeSearch::keeps(std::int64_t worth, const std::uint64_t* cost, const Frame& frame) const {
    const bool unbroken = frame.below_whole && !layout_.breaks(cost);
    return (unbroken ? frame.most_worth_unbroken : frame.most_worth) - worth <= prices_.slack();
}

TreeSearch::Frame TreeSearch::frame_of(std::size_t level, std::uint32_t shape) const {
    return {prices_.most_worth(level, shape, true), prices_.most_worth(level, shape, false),
            prices_.below_whole(level, shape), LabelKey{}, 0};
}

void TreeSearch::fill_blocks() {
    for (std::uint32_t shape = 0; shape < vertices_[0].size() && !ended_; ++shape) {
        const Frame frame = frame_of(0, shape);
        const LabelTable& costs = costs_[shape];
        LabelTable& table = vertices_[0][shape].table;
        effort_.steps += costs.size();
        table.reserve(costs.size(), layout_.words());
        for (std::size_t i = 0; i < costs.size(); ++i) {
            const std::uint64_t* cost = costs.cost(i);
            const std::uint32_t nodes = costs.key(i).units * tree_.unit_nodes(0);
            const std::int64_t worth = prices_.worth_of_block(nodes, cost);
            if (keeps(worth, cost, frame) && !too_costly(cost))
                table.append(costs.key(i), worth, cost);
        }
        note(table);
    }
}

/// Of equal children only as many may give something as an answer may use; the first ones, so that
/// preference 6 holds. `others` gets what the rest could be worth.
std::vector<std::uint32_t> TreeSearch::active_children(std::size_t level, std::uint32_t shape,
                                                       Frame& others) const {
    const std::uint32_t example = tree_.shapes(level)[shape].example;
    const Vertices children = tally_.children(level, example);
    const std::uint32_t most =
        std::min(prices_.most_used(level - 1),
                 tree_.below_units(level - 1) ? problem_.nodes : problem_.units);
    std::vector<std::uint32_t> active;
    std::vector<std::uint32_t> seen(vertices_[level - 1].size());
    for (const std::uint32_t child : children) {
        const std::uint32_t child_shape = tree_.shape_of(level - 1, child);
        const LabelTable& table = vertices_[level - 1][child_shape].table;
        const bool only_nothing = table.size() == 1 && table.key(0) == LabelKey{};
        const bool idle =
            tally_.required(level - 1, child) == 0 && (only_nothing || seen[child_shape] >= most);
        ++seen[child_shape];
        if (idle)
            add_child(others, level, child);
        else
            active.push_back(child - children.first);
    }
    return active;
}

void TreeSearch::add_child(Frame& frame, std::size_t level, std::uint32_t child) const {
    const Frame of_child = frame_of(level - 1, tree_.shape_of(level - 1, child));
    frame.most_worth += of_child.most_worth;
    frame.most_worth_unbroken += of_child.most_worth_unbroken;
}

const LabelTable& TreeSearch::together(std::size_t level, std::uint32_t shape,
                                       std::size_t at) const {
    const Vertex& vertex = vertices_[level][shape];
    if (at < vertex.joined.size()) return vertex.joined[at];
    static const LabelTable nothing;
    if (vertex.active.empty()) return nothing;
    const Vertices children = tally_.children(level, tree_.shapes(level)[shape].example);
    return table(level - 1, children.first + vertex.active.back());
}

void TreeSearch::join_children(std::size_t level, std::uint32_t shape) {
    const ShapeTree::Shape& of = tree_.shapes(level)[shape];
    const auto [first, last] = tally_.children(level, of.example);
    Vertex& vertex = vertices_[level][shape];
    Frame frame;
    frame.below_whole = prices_.below_whole(level, shape) || tally_.whole(level, of.example);
    vertex.active = active_children(level, shape, frame);
    if (vertex.active.size() < 2) return;
    vertex.joined.resize(vertex.active.size() - 1);
    add_child(frame, level, first + vertex.active.back());
    std::uint32_t added = last;  // to frame.most, and those behind it
    for (std::size_t at = vertex.joined.size(); at-- > 0 && !ended_;) {
        const std::uint32_t child = first + vertex.active[at];
        add_child(frame, level, child);
        while (added > child)
            frame.most =
                tree_.usable_sum(level - 1, frame.most, tree_.shape(level - 1, --added).most);
        const bool target = level == problem_.scope_level && at == 0 && !tree_.converts(level);
        frame.least_units =
            target ? tree_.wanted_units() : tree_.least_units(level - 1, frame.most.units);
        vertex.joined[at] = join(table(level - 1, child), together(level, shape, at + 1), frame);
        note(vertex.joined[at]);
    }
}

/// All sums of a label on the left and one on the right that keep to the frame.
LabelTable TreeSearch::join(const LabelTable& left, const LabelTable& right, const Frame& frame) {
    const auto [most_worth, most_unbroken, below_whole, most, least_units] = frame;
    if (least_units > most.units) return {};
    collector_.start(least_units, most);
    const std::int64_t least_any = most_worth - prices_.slack();
    const std::int64_t least_unbroken = below_whole ? most_unbroken - prices_.slack() : least_any;
    const std::uint64_t sum_steps = 1 + layout_.words() / 4;
    for (std::size_t i = 0; i < left.size() && effort_.left() > 0; ++i) {
        const LabelKey a = left.key(i);
        const std::int64_t worth_a = left.worth(i);
        const std::uint64_t* cost_a = left.cost(i);
        if (a.units > most.units) break;
        const std::uint32_t from = least_units > a.units ? least_units - a.units : 0;
        const auto [begin, end] = right.with_units(from, most.units - a.units);
        const bool breaks_a = layout_.breaks(cost_a);
        effort_.steps += (end - begin + 1) * sum_steps;
        for (std::size_t j = begin; j < end; ++j) {
            const std::int64_t worth = worth_a + right.worth(j);
            if (worth < least_unbroken) continue;
            const LabelKey& b = right.key(j);
            const LabelKey sum{a.units + b.units, a.limited + b.limited, a.blocks + b.blocks};
            if (sum.limited > most.limited || sum.blocks > most.blocks) continue;
            const std::uint64_t* cost_b = right.cost(j);
            if (worth < least_any && (breaks_a || layout_.breaks(cost_b))) continue;
            if (!too_costly(cost_a, cost_b)) collector_.add(sum, worth, cost_a, cost_b);
        }
        effort_.steps += steps_per_lookup * collector_.take_lookups();
    }
    return collector_.finish();
}

/// Turns what the children of a vertex give together into what the vertex gives.
void TreeSearch::finish(std::size_t level, std::uint32_t shape, const LabelTable& joined) {
    const std::uint32_t example = tree_.shapes(level)[shape].example;
    const LabelKey& most = tree_.shapes(level)[shape].most;
    const Frame frame = frame_of(level, shape);
    collector_.start({}, most);
    // A vertex that gives nothing costs nothing, whatever its children are worth.
    const bool may_rest = tally_.required(level, example) == 0 && level < problem_.scope_level;
    if (may_rest && keeps(0, no_cost.data(), frame)) collector_.add({}, 0, no_cost.data());
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
        layout_.add_aggregate(cost, level, example, nodes, layout_.breaks(cost.data()));
        const std::int64_t worth =
            joined.worth(i) - prices_.charge(level, example, layout_.breaks(cost.data()));
        if (!keeps(worth, cost.data(), frame) || too_costly(cost.data())) continue;
        collector_.add(key, worth, cost.data());
    }
    effort_.steps += joined.size();
    vertices_[level][shape].table = collector_.finish();
    note(vertices_[level][shape].table);
}

LabelKey TreeSearch::amount_of(const PackedWay& way) const {
    return {way.segments, 0, problem_.max_base_blocks == 0 ? 0 : way.base_blocks};
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
    // What packing gives is not priced: it is worth the most that the vertex can be worth.
    const std::int64_t worth = prices_.most_worth(level, shape, true);
    for (const PackedWay& way : vertex.packed.ways) {
        const LabelKey key = amount_of(way);
        if (key.units > of.most.units || key.blocks > of.most.blocks) continue;
        if (!too_costly(way.cost.data()))
            collector_.add(key, key.units > 0 ? worth : std::min<std::int64_t>(worth, 0),
                           way.cost.data());
    }
    vertex.table = collector_.finish();
    note(vertex.table);
}

/// Amounts that differ in what is limited alone can cost the same.
Division TreeSearch::division_of(const Found& found) {
    Division first;
    for (const LabelKey& key : found.keys) {
        ended_ = ended_ || effort_.left() == 0;
        if (ended_ && !first.shares.empty()) break;
        Division division;
        division.cost = found.cost;
        emit(problem_.scope_level, found.scope, key, division);
        if (first.shares.empty() || comes_first(tally_, problem_.scope_level, division, first))
            first = std::move(division);
    }
    if (!problem_.segmented) first.close_segment();
    return first;
}

/// Adds what the blocks above a scope cost.
void TreeSearch::add_above(Cost& cost, std::uint32_t scope) const {
    std::uint32_t vertex = scope;
    for (std::size_t level = problem_.scope_level + 1; level < tally_.whole_level(); ++level) {
        vertex >>= tally_.topology().exponent_between(level - 1, level);
        layout_.add_aggregate(cost, level, vertex, problem_.nodes, layout_.breaks(cost.data()));
    }
}

TreeSearch::Found TreeSearch::best_scope() const {
    Found best;
    const std::size_t level = problem_.scope_level;
    std::optional<std::uint32_t> before;
    for (const std::uint32_t scope : tree_.scopes()) {
        if (tally_.required(level, scope) != tally_.required_in_blocks()) continue;
        if (tree_.shape(level, scope).most.units < problem_.units) continue;
        const LabelTable& labels = table(level, scope);
        // The same as the scope before in all that counts, and behind it: on a cluster of equal
        // racks that is the rule.
        const bool same = before && &labels == &table(level, *before) &&
                          alike_above(tally_, level, *before, scope);
        before = scope;
        if (same) continue;
        const auto [begin, end] = labels.with_units(problem_.units, problem_.units);
        for (std::size_t i = begin; i < end; ++i) {
            Cost cost = labels.copy_of_cost(i);
            add_above(cost, scope);
            if (layout_.less(cost, best.cost))
                best = {scope, {labels.key(i)}, cost};
            else if (scope == best.scope && !layout_.less(best.cost, cost))
                best.keys.push_back(labels.key(i));
        }
    }
    return best;
}

void TreeSearch::emit(std::size_t level, std::uint32_t index, const LabelKey& key,
                      Division& division) const {
    if (key.units == 0) return;
    if (level == 0) {
        const Share share{index, key.units * tree_.unit_nodes(0)};
        if (tree_.below_units(0) || !problem_.segmented)
            division.shares.push_back(share);
        else
            append_segments(division, {&share, 1}, problem_.unit_nodes);
    } else if (tree_.is_packed(level, tree_.shape(level, index))) {
        emit_packed(level, index, key, division);
    } else if (tree_.converts(level)) {
        Division inside;
        emit_children(level, index, key, inside);
        append_segments(division, inside.shares, problem_.unit_nodes);
    } else {
        emit_children(level, index, key, division);
    }
}

/// The packed way that the label stands for; it was found for the example of the shape.
void TreeSearch::emit_packed(std::size_t level, std::uint32_t index, const LabelKey& key,
                             Division& division) const {
    const std::uint32_t shape = tree_.shape_of(level, index);
    const BlockIndex from = tally_.blocks(level, tree_.shapes(level)[shape].example).first;
    const BlockIndex to = tally_.blocks(level, index).first;
    const auto way = std::ranges::find_if(
        vertices_[level][shape].packed.ways,
        [&](const PackedWay& candidate) { return amount_of(candidate) == key; });
    for (const std::vector<Share>& segment : way->shares) {
        for (const Share& share : segment)
            division.shares.push_back({share.block - from + to, share.nodes});
        division.close_segment();
    }
}

/// Splits `key` among the children: the first child gets the most that the best cost allows, then
/// the second, and so on (preference 6).
void TreeSearch::emit_children(std::size_t level, std::uint32_t index, LabelKey key,
                               Division& division) const {
    // What the children gave together, of which finish() made `key`.
    if (tree_.converts(level)) key.units *= problem_.unit_nodes;
    if (problem_.limit != 0 && level == problem_.limited_level) key.limited = 0;
    const std::uint32_t shape = tree_.shape_of(level, index);
    const Vertex& vertex = vertices_[level][shape];
    const std::uint32_t first = tally_.children(level, index).first;
    for (std::size_t at = 0; at + 1 < vertex.active.size(); ++at) {
        const std::uint32_t child = first + vertex.active[at];
        const LabelTable& left = table(level - 1, child);
        const LabelKey given = left_of_sum(left, together(level, shape, at + 1),
                                           together(level, shape, at), key, effort_.steps);
        emit(level - 1, child, given, division);
        key = key - given;
    }
    if (!vertex.active.empty()) emit(level - 1, first + vertex.active.back(), key, division);
}

}  // namespace nvl72block
