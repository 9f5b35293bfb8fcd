// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/shape_tree.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>

namespace nvl72block {

ShapeTree::ShapeTree(const Tally& tally, const Problem& problem, Vertices scopes)
    : tally_(tally),
      problem_(problem),
      scopes_(scopes),
      first_(problem.scope_level + 1),
      shape_of_(problem.scope_level + 1),
      shapes_(problem.scope_level + 1) {
    for (std::size_t level = 0; level <= problem_.scope_level; ++level) {
        find_shapes(level);
        for (Shape& shape : shapes_[level]) set_most(level, shape);
    }
    find_slack();
}

/// Orders vertices by what they offer.
std::strong_ordering ShapeTree::compare(std::size_t level, std::uint32_t a, std::uint32_t b) const {
    if (level == 0) return tally_.compare(a, b);
    const auto children = [&](std::uint32_t vertex) {
        const Vertices all = tally_.children(level, vertex);
        return std::span(shape_of_[level - 1]).subspan(all.first - first_[level - 1], all.size());
    };
    const auto x = children(a);
    const auto y = children(b);
    return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
}

void ShapeTree::find_shapes(std::size_t level) {
    const std::uint32_t first = tally_.below(problem_.scope_level, scopes_.first, level).first;
    const std::uint32_t last = tally_.below(problem_.scope_level, scopes_.last - 1, level).last;
    first_[level] = first;
    shape_of_[level].resize(last - first);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return std::is_lt(compare(level, a, b));
    };
    std::map<std::uint32_t, std::uint32_t, decltype(before)> known(before);  // shapes by example
    for (std::uint32_t index = first; index < last; ++index) {
        std::uint32_t& shape = shape_of_[level][index - first];
        // Mostly the vertex before offers the same: then nothing need be looked up.
        if (index > first && std::is_eq(compare(level, index - 1, index))) {
            shape = shape_of(level, index - 1);
            continue;
        }
        shape = known.try_emplace(index, shapes_[level].size()).first->second;
        if (shape == shapes_[level].size()) shapes_[level].emplace_back().example = index;
    }
}

void ShapeTree::set_most(std::size_t level, Shape& shape) {
    const std::uint32_t free = tally_.free(level, shape.example);
    if (level == 0) {
        const std::uint32_t units =
            below_units(0) ? free : block_range(tally_, problem_, shape.example).most;
        shape.most = usable_sum(0, {units, 0, 1}, {});
    } else {
        for (const std::uint32_t child : tally_.children(level, shape.example))
            shape.most = usable_sum(level - 1, shape.most, this->shape(level - 1, child).most);
    }
    if (converts(level)) shape.most.units = std::min(free / problem_.unit_nodes, problem_.units);
    if (problem_.limit != 0 && level == problem_.limited_level) shape.most.limited = 1;
}

/// A vertex of a scope that offers little more than the job needs must give nearly all it has, so
/// most of its table is never read.
void ShapeTree::find_slack() {
    for (const std::uint32_t scope : scopes_) {
        std::uint64_t offered = 0;
        const std::size_t level = problem_.unit_level;
        for (const std::uint32_t vertex : tally_.below(problem_.scope_level, scope, level))
            offered += shape(level, vertex).most.units;
        if (offered > wanted_units() + slack_)
            slack_ = static_cast<std::uint32_t>(offered - wanted_units());
    }
}

std::uint64_t ShapeTree::work() const {
    std::uint64_t work = 0;
    for (std::size_t level = 0; level <= problem_.scope_level; ++level)
        for (const Shape& shape : shapes_[level]) work += merge_work(level, shape);
    return work;
}

std::uint64_t ShapeTree::merge_work(std::size_t level, const Shape& shape) const {
    const std::size_t part_level = level == 0 ? 0 : level - 1;
    const auto entries = [&](const LabelKey& most) {
        const std::uint64_t units = most.units - least_units(part_level, most.units) + 1U;
        return units * (most.limited + 1U) * (most.blocks + 1U);
    };
    if (level == 0) return entries(shape.most);
    if (is_packed(level, shape)) return 0;
    // The children as if the largest were joined first, so that their order changes nothing.
    std::vector<LabelKey> parts;
    for (const std::uint32_t child : tally_.children(level, shape.example))
        parts.push_back(this->shape(level - 1, child).most);
    std::sort(parts.begin(), parts.end(), std::greater<>());
    std::uint64_t work = 0;
    LabelKey sum = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const bool target_only = level == problem_.scope_level && i + 1 == parts.size() &&
                                 wanted_units() == problem_.units;
        work += entries(parts[i]) *
                (target_only ? std::uint64_t{sum.limited + 1U} * (sum.blocks + 1U) : entries(sum));
        sum = usable_sum(level - 1, sum, parts[i]);
    }
    return work;
}

std::vector<LabelTable> block_costs(const CostLayout& layout, const ShapeTree& tree,
                                    Effort& effort) {
    const Tally& tally = layout.tally();
    const Problem& problem = tree.problem();
    std::vector<LabelTable> tables;
    tables.reserve(tree.shapes(0).size());
    for (const auto& [block, most] : tree.shapes(0)) {
        const std::uint32_t forced = tree.below_units(0) ? tally.required(0, block)
                                                         : block_range(tally, problem, block).least;
        const std::uint32_t least =
            problem.scope_level == 0 ? problem.units : tree.least_units(0, most.units);
        const std::uint32_t first = std::max(least, forced);
        LabelTable& table = tables.emplace_back();
        if (first <= most.units) table.reserve(most.units - first + 1U, layout.words());
        for (std::uint32_t units = first; units <= most.units; ++units) {
            Cost cost{};
            layout.add_block(cost, block, units * tree.unit_nodes(0));
            table.append(units > 0 ? LabelKey{units, most.limited, most.blocks} : LabelKey{}, 0,
                         cost.data());
        }
        effort.steps += table.size() * tally.weight_classes().size();
    }
    return tables;
}

std::uint64_t ShapeTree::block_labels() const {
    std::uint64_t labels = 0;
    for (const Shape& shape : shapes_[0])
        labels += shape.most.units - least_units(0, shape.most.units) + 1U;
    return labels;
}

}  // namespace nvl72block
