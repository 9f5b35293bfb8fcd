// SPDX-License-Identifier: GPL-2.0-or-later
//
// TreeSearch, second part: the best scope, and what each base block gives in it.
#include <algorithm>
#include <compare>

#include "placement/search/tree_search.hpp"

namespace nvl72block {

namespace {

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

/// What the division takes from each vertex of the level, the first vertex first.
std::vector<Share> taken_at(const Tally& tally, std::size_t level, const Division& division) {
    std::vector<Share> taken;
    for (const Share& share : division.shares) {
        const std::uint32_t vertex = share.block >> tally.topology().exponent_between(0, level);
        if (taken.empty() || taken.back().block != vertex) taken.push_back({vertex, 0});
        taken.back().nodes += share.nodes;
    }
    return taken;
}

/// Preference 6, of divisions of one scope whose shares ascend: at the highest level where they
/// differ, which of them takes more from the first vertex that they treat differently.
bool comes_first(const Tally& tally, std::size_t scope_level, const Division& a,
                 const Division& b) {
    const auto earlier = [](const Share& x, const Share& y) {
        return x.block != y.block ? x.block <=> y.block : y.nodes <=> x.nodes;
    };
    for (std::size_t level = scope_level; level-- > 0;) {
        const std::vector<Share> of_a = taken_at(tally, level, a);
        const std::vector<Share> of_b = taken_at(tally, level, b);
        const auto order = std::lexicographical_compare_three_way(
            of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), earlier);
        if (std::is_neq(order)) return std::is_lt(order);
    }
    return false;
}

}  // namespace

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
        layout_.add_aggregate(cost, level, vertex, problem_.nodes);
    }
}

TreeSearch::Found TreeSearch::best_scope() const {
    Found best;
    const std::size_t level = problem_.scope_level;
    std::optional<std::uint32_t> before;
    for (std::uint32_t scope = tree_.first_scope(); scope < tree_.last_scope(); ++scope) {
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
        emit_block(index, key, division);
    } else if (tree_.is_packed(level, tree_.shape(level, index))) {
        emit_packed(level, index, key, division);
    } else if (tree_.converts(level)) {
        Division inside;
        emit_children(level, index, before_finish(level, key), inside);
        append_segments(division, inside.shares, problem_.unit_nodes);
    } else {
        emit_children(level, index, before_finish(level, key), division);
    }
}

void TreeSearch::emit_block(std::uint32_t index, const LabelKey& key, Division& division) const {
    const Share share{index, key.units * tree_.unit_nodes(0)};
    if (tree_.below_units(0) || !problem_.segmented)
        division.shares.push_back(share);
    else
        append_segments(division, {&share, 1}, problem_.unit_nodes);
}

/// The packed way that the label stands for; it was found for the example of the shape.
void TreeSearch::emit_packed(std::size_t level, std::uint32_t index, const LabelKey& key,
                             Division& division) const {
    const std::uint32_t shape = tree_.shape_of(level, index);
    const Vertex& vertex = vertices_[level][shape];
    const std::uint64_t* cost = vertex.table.cost(vertex.table.find(key));
    const BlockIndex from = tally_.blocks(level, tree_.shapes(level)[shape].example).first;
    const BlockIndex to = tally_.blocks(level, index).first;
    for (const PackedWay& way : vertex.packed.ways) {
        if (way.segments != key.units ||
            (problem_.max_base_blocks != 0 && way.base_blocks != key.blocks) ||
            !std::equal(cost, cost + layout_.words(), way.cost.begin()))
            continue;
        for (const std::vector<Share>& segment : way.shares) {
            for (const Share& share : segment)
                division.shares.push_back({share.block - from + to, share.nodes});
            division.close_segment();
        }
        return;
    }
}

/// What the children gave together that finish() turned into `key`.
LabelKey TreeSearch::before_finish(std::size_t level, LabelKey key) const {
    if (tree_.converts(level)) key.units *= problem_.unit_nodes;
    if (problem_.limit != 0 && level == problem_.limited_level) key.limited = 0;
    return key;
}

/// Splits `key` among the children: the first child gets the most that the best cost allows, then
/// the second, and so on (preference 6).
void TreeSearch::emit_children(std::size_t level, std::uint32_t index, const LabelKey& key,
                               Division& division) const {
    const std::uint32_t shape = tree_.shape_of(level, index);
    const Vertex& vertex = vertices_[level][shape];
    const std::uint32_t first = tally_.children(level, index).first;
    LabelKey rest = key;
    for (std::size_t at = 0; at + 1 < vertex.active.size(); ++at) {
        const std::uint32_t child = first + vertex.active[at];
        const LabelTable& left = table(level - 1, child);
        effort_.steps += left.size();
        const LabelKey given =
            left_of_sum(left, together(level, shape, at + 1), together(level, shape, at), rest);
        emit(level - 1, child, given, division);
        rest = rest - given;
    }
    if (!vertex.active.empty()) emit(level - 1, first + vertex.active.back(), rest, division);
}

}  // namespace nvl72block
