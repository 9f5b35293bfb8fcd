// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/offer.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace nvl72block {
namespace {

/// Vertices [first, last) of `level` below the vertex (scope_level, scope).
struct Below {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

Below below(const Tally& tally, std::size_t scope_level, std::uint32_t scope, std::size_t level) {
    if (level == scope_level) return {scope, scope + 1};
    const auto& topology = tally.topology();
    if (scope_level == tally.whole_level()) return {0, tally.vertices(level)};
    const unsigned shift =
        topology.levels()[scope_level].exponent - topology.levels()[level].exponent;
    const std::uint64_t last = (std::uint64_t{scope} + 1) << shift;
    return {scope << shift,
            static_cast<std::uint32_t>(std::min<std::uint64_t>(last, tally.vertices(level)))};
}

/// Sum of the `count` largest offers; reorders them.
std::uint32_t sum_of_largest(std::vector<std::uint32_t>& offers, std::size_t count) {
    const auto end = offers.begin() + static_cast<std::ptrdiff_t>(std::min(count, offers.size()));
    if (end != offers.end()) std::nth_element(offers.begin(), end, offers.end(), std::greater<>());
    return std::accumulate(offers.begin(), end, 0U);
}

/// The best `limit` vertices of the limited level, those with required nodes first.
std::uint32_t most_in_limited(const Tally& tally, const Problem& problem, std::uint32_t scope,
                              std::vector<std::uint32_t>& offers) {
    const Below range = below(tally, problem.scope_level, scope, problem.limited_level);
    std::uint32_t total = 0;
    std::size_t left = problem.limit;
    offers.clear();
    for (std::uint32_t index = range.first; index < range.last; ++index) {
        const std::uint32_t free = tally.free(problem.limited_level, index);
        if (tally.required(problem.limited_level, index) == 0) {
            offers.push_back(free);
            continue;
        }
        if (left == 0) return 0;
        --left;
        total += free;
    }
    return total + sum_of_largest(offers, left);
}

std::uint32_t most_units(const Tally& tally, const Problem& problem, std::uint32_t scope,
                         std::vector<std::uint32_t>& offers) {
    const Below units = below(tally, problem.scope_level, scope, problem.unit_level);
    const bool limited = problem.max_base_blocks != 0 && !problem.large_segments();
    std::size_t left = limited ? problem.max_base_blocks : units.last - units.first;
    std::uint32_t total = 0;
    offers.clear();
    for (std::uint32_t index = units.first; index < units.last; ++index) {
        const UnitRange range = unit_range(tally, problem, index);
        if (range.least > range.most) return 0;
        if (limited && tally.required(problem.unit_level, index) == 0) {
            offers.push_back(range.most);
            continue;
        }
        if (left == 0) return 0;
        --left;
        total += range.most;
    }
    return total + sum_of_largest(offers, left);
}

}  // namespace

std::uint32_t most_nodes(const Tally& tally, const Problem& problem) {
    std::uint32_t best = 0;
    std::vector<std::uint32_t> offers;
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope) {
        if (tally.required(problem.scope_level, scope) != tally.required_in_blocks()) continue;
        std::uint32_t nodes = 0;
        if (problem.segmented)
            nodes = most_units(tally, problem, scope, offers) * problem.unit_nodes;
        else if (problem.limit != 0)
            nodes = most_in_limited(tally, problem, scope, offers);
        else if (problem.scope_level == 0)
            nodes = block_range(tally, problem, scope).most;
        else
            nodes = tally.free(problem.scope_level, scope);
        best = std::max(best, nodes);
    }
    return best;
}

}  // namespace nvl72block
