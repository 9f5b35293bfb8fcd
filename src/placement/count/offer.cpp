// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/count/offer.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "placement/count/offer_capped.hpp"

namespace nvl72block {
namespace {

/// Sum of the `count` largest offers; reorders them.
std::uint32_t sum_of_largest(std::vector<std::uint32_t>& offers, std::size_t count) {
    const auto end = offers.begin() + static_cast<std::ptrdiff_t>(std::min(count, offers.size()));
    if (end != offers.end()) std::nth_element(offers.begin(), end, offers.end(), std::greater<>());
    return std::accumulate(offers.begin(), end, 0U);
}

/// The best `limit` vertices of `level`, those with required nodes first.
std::uint32_t most_of_level(const Tally& tally, const Below& range, std::size_t level,
                            std::size_t limit, std::vector<std::uint32_t>& offers) {
    std::uint32_t total = 0;
    offers.clear();
    for (std::uint32_t index = range.first; index < range.last; ++index) {
        const std::uint32_t free = tally.free(level, index);
        if (tally.required(level, index) == 0) {
            offers.push_back(free);
            continue;
        }
        if (limit == 0) return 0;
        --limit;
        total += free;
    }
    return total + sum_of_largest(offers, limit);
}

/// A plain job above level 0.
std::uint32_t most_plain(const Tally& tally, const Problem& problem, std::uint32_t scope,
                         std::vector<std::uint32_t>& offers) {
    std::uint32_t most = tally.free(problem.scope_level, scope);
    if (problem.limit != 0)
        most = most_of_level(tally, below(tally, problem.scope_level, scope, problem.limited_level),
                             problem.limited_level, problem.limit, offers);
    if (problem.max_base_blocks == 0) return most;
    most = std::min(most, most_of_level(tally, below(tally, problem.scope_level, scope, 0), 0,
                                        problem.max_base_blocks, offers));
    if (problem.limit == 0 || problem.limited_level == 0 || most < problem.nodes) return most;
    return std::min(most, most_in_limited_and_capped(tally, problem, scope));
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

Below below(const Tally& tally, std::size_t scope_level, std::uint32_t scope, std::size_t level) {
    if (level == scope_level) return {scope, scope + 1};
    if (scope_level == tally.whole_level()) return {0, tally.vertices(level)};
    const unsigned shift = tally.topology().exponent_between(level, scope_level);
    const std::uint64_t last = (std::uint64_t{scope} + 1) << shift;
    return {scope << shift,
            static_cast<std::uint32_t>(std::min<std::uint64_t>(last, tally.vertices(level)))};
}

std::uint32_t most_nodes(const Tally& tally, const Problem& problem) {
    std::uint32_t best = 0;
    std::vector<std::uint32_t> offers;
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope) {
        if (tally.required(problem.scope_level, scope) != tally.required_in_blocks()) continue;
        if (tally.free(problem.scope_level, scope) <= best) continue;
        std::uint32_t nodes = 0;
        if (problem.segmented) {
            std::uint32_t units = most_units(tally, problem, scope, offers);
            if (problem.large_segments() && units > 0)
                units = std::min(units, most_large_segments(tally, problem, scope));
            nodes = units * problem.unit_nodes;
        } else if (problem.scope_level == 0) {
            nodes = block_range(tally, problem, scope).most;
        } else {
            nodes = most_plain(tally, problem, scope, offers);
        }
        best = std::max(best, nodes);
    }
    return best;
}

std::uint64_t least_nodes(const Tally& tally, const Problem& problem) {
    const std::uint64_t required = tally.required_in_blocks();
    if (!problem.segmented || required == 0) return required;
    std::uint64_t units = 0;
    for (std::uint32_t index = 0; index < tally.vertices(problem.unit_level); ++index)
        units += unit_range(tally, problem, index).least;
    return units * problem.unit_nodes;
}

}  // namespace nvl72block
