// SPDX-License-Identifier: GPL-2.0-or-later
//
// TreeSearch, first part: which vertices offer the same, and what the search will cost.
#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <compare>
#include <tuple>
#include <unordered_map>

#include "placement/tree_search.hpp"

namespace nvl72block {

TreeSearch::TreeSearch(const Tally& tally, const CostLayout& layout, const Problem& problem)
    : tally_(tally), layout_(layout), problem_(problem) {
    find_shapes();
    for (std::size_t level = 0; level <= problem_.scope_level; ++level)
        for (Shape& shape : shapes_[level]) {
            set_dimensions(level, shape);
            packs_ = packs_ || is_packed(level, shape);
        }
    find_slack();
    for (std::size_t level = 0; level <= problem_.scope_level; ++level)
        for (const Shape& shape : shapes_[level]) work_ += merge_work(level, shape);
}

/// A vertex of a scope that offers little more than the job needs must give nearly all it has, so
/// most of its table is never read.
void TreeSearch::find_slack() {
    for (std::uint32_t scope = 0; scope < tally_.vertices(problem_.scope_level); ++scope) {
        const std::uint64_t offered = offered_units(scope);
        if (offered > problem_.units)
            slack_ = static_cast<std::uint32_t>(
                std::max<std::uint64_t>(slack_, offered - problem_.units));
    }
}

/// Units that the vertices of the unit level in a scope offer together, not capped.
std::uint64_t TreeSearch::offered_units(std::uint32_t scope) const {
    const std::size_t level = problem_.unit_level;
    if (level == tally_.whole_level()) return tally_.in_blocks() / problem_.unit_nodes;
    if (level == problem_.scope_level) return shapes_[level][shape_of_[level][scope]].max.units;
    const BlockIndex first = tally_.first_block(problem_.scope_level, scope);
    const BlockIndex last = tally_.last_block(problem_.scope_level, scope);
    const unsigned exponent = tally_.topology().levels()[level].exponent;
    std::uint64_t units = 0;
    for (std::uint32_t vertex = first >> exponent; vertex <= (last - 1) >> exponent; ++vertex)
        units += shapes_[level][shape_of_[level][vertex]].max.units;
    return units;
}

std::size_t TreeSearch::hash_vertex(std::size_t level, std::uint32_t index) const {
    std::size_t seed = 0;
    if (level == 0) {
        boost::hash_combine(seed, tally_.free(0, index));
        boost::hash_combine(seed, tally_.required(0, index));
        return seed;
    }
    for (std::uint32_t child = tally_.first_child(level, index);
         child < tally_.last_child(level, index); ++child)
        boost::hash_combine(seed, shape_of_[level - 1][child]);
    return seed;
}

bool TreeSearch::same_offer(std::size_t level, std::uint32_t a, std::uint32_t b) const {
    if (level == 0) return std::is_eq(tally_.compare(a, b));
    const auto& below = shape_of_[level - 1];
    return std::equal(
        below.begin() + tally_.first_child(level, a), below.begin() + tally_.last_child(level, a),
        below.begin() + tally_.first_child(level, b), below.begin() + tally_.last_child(level, b));
}

void TreeSearch::find_shapes() {
    shape_of_.resize(problem_.scope_level + 1);
    shapes_.resize(problem_.scope_level + 1);
    for (std::size_t level = 0; level <= problem_.scope_level; ++level) {
        std::unordered_multimap<std::size_t, std::uint32_t> known;
        const std::uint32_t count = tally_.vertices(level);
        shape_of_[level].resize(count);
        for (std::uint32_t index = 0; index < count; ++index) {
            // Mostly the vertex before offers the same: then nothing need be looked up.
            if (index > 0) {
                const std::uint32_t before = shape_of_[level][index - 1];
                if (same_offer(level, shapes_[level][before].example, index)) {
                    shape_of_[level][index] = before;
                    continue;
                }
            }
            const std::size_t hash = hash_vertex(level, index);
            const auto [first, last] = known.equal_range(hash);
            const auto found = std::find_if(first, last, [&](const auto& entry) {
                return same_offer(level, shapes_[level][entry.second].example, index);
            });
            if (found != last) {
                shape_of_[level][index] = found->second;
                continue;
            }
            const auto id = static_cast<std::uint32_t>(shapes_[level].size());
            shapes_[level].emplace_back().example = index;
            known.emplace(hash, id);
            shape_of_[level][index] = id;
        }
    }
}

void TreeSearch::set_dimensions(std::size_t level, Shape& shape) {
    const std::uint32_t free = tally_.free(level, shape.example);
    std::uint64_t units = 0;
    std::uint64_t limited = 0;
    std::uint64_t blocks = 0;
    if (level == 0) {
        units = below_units(0) ? free : block_range(tally_, problem_, shape.example).most;
        blocks = 1;
    } else {
        for (std::uint32_t child = tally_.first_child(level, shape.example);
             child < tally_.last_child(level, shape.example); ++child) {
            const At& below = child_shape(level, child).max;
            units += below.units;
            limited += below.limited;
            blocks += below.blocks;
        }
        if (problem_.large_segments() && level == problem_.unit_level)
            units = free / problem_.unit_nodes;
    }
    const std::uint32_t most_units = below_units(level) ? problem_.nodes : problem_.units;
    if (problem_.limit != 0 && level == problem_.limited_level) limited = 1;
    shape.max.units = static_cast<std::uint32_t>(std::min<std::uint64_t>(units, most_units));
    shape.max.limited =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(limited, problem_.limit));
    shape.max.blocks =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, problem_.max_base_blocks));
}

bool TreeSearch::needs_packing(std::uint32_t index) const {
    if (problem_.spread) return true;
    std::uint32_t parts = 0;
    for (std::uint32_t child = tally_.first_child(problem_.unit_level, index);
         child < tally_.last_child(problem_.unit_level, index); ++child)
        parts += tally_.free(problem_.unit_level - 1, child) > 0 ? 1 : 0;
    return parts > problem_.segment_rule.limit;
}

/// Dimensions of the children `child`, child + 1, … of a vertex together.
TreeSearch::At TreeSearch::suffix_max(std::size_t level, const Shape& shape,
                                      std::uint32_t child) const {
    std::uint64_t units = 0;
    std::uint64_t limited = 0;
    std::uint64_t blocks = 0;
    const std::uint32_t last = tally_.last_child(level, shape.example);
    for (; child < last; ++child) {
        const At& below = child_shape(level, child).max;
        units += below.units;
        limited += below.limited;
        blocks += below.blocks;
    }
    const std::uint32_t most_units = below_units(level - 1) ? problem_.nodes : problem_.units;
    return {static_cast<std::uint32_t>(std::min<std::uint64_t>(units, most_units)),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(limited, problem_.limit)),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, problem_.max_base_blocks))};
}

std::uint64_t TreeSearch::merge_work(std::size_t level, const Shape& shape) const {
    const std::size_t part_level = level == 0 ? 0 : level - 1;
    const auto entries = [&](const At& at) {
        const std::uint64_t units = at.units - least_units(part_level, at.units) + 1U;
        return units * (at.limited + 1U) * (at.blocks + 1U);
    };
    if (level == 0) return entries(shape.max);
    if (problem_.large_segments() && level == problem_.unit_level && needs_packing(shape.example))
        return 0;
    // The children as if the largest were joined first, so that their order changes nothing.
    std::vector<At> parts;
    for (std::uint32_t child = tally_.first_child(level, shape.example);
         child < tally_.last_child(level, shape.example); ++child)
        parts.push_back(child_shape(level, child).max);
    std::sort(parts.begin(), parts.end(), [](const At& a, const At& b) {
        return std::tie(a.units, a.limited, a.blocks) > std::tie(b.units, b.limited, b.blocks);
    });
    std::uint64_t work = 0;
    At sum = parts.empty() ? At{} : parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const bool target_only = level == problem_.scope_level && i + 1 == parts.size();
        work += entries(parts[i]) *
                (target_only ? std::uint64_t{sum.limited + 1U} * (sum.blocks + 1U) : entries(sum));
        // The running sum of the dimensions, capped as suffix_max caps it.
        sum.units = std::min(sum.units + parts[i].units,
                             below_units(level - 1) ? problem_.nodes : problem_.units);
        sum.limited = std::min(sum.limited + parts[i].limited, problem_.limit);
        sum.blocks = std::min(sum.blocks + parts[i].blocks, problem_.max_base_blocks);
    }
    return work;
}

}  // namespace nvl72block
