// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/bound/offer.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

/// Prices of a base block in segments are multiples of 1 / price_scale.
constexpr std::uint64_t price_scale = 1U << 12;

/// Base blocks that the first k segments of one unit vertex need at least, for k = 0, 1, …
using BlocksNeeded = std::vector<std::uint32_t>;

BlocksNeeded blocks_needed(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                           std::vector<std::uint32_t>& free) {
    const std::size_t level = problem.unit_level;
    // A base block that one segment has to itself gives no more than that segment takes.
    const std::uint32_t most = problem.spread ? problem.unit_nodes : ~std::uint32_t{0};
    free.clear();
    for (BlockIndex block = tally.first_block(level, vertex);
         block < tally.last_block(level, vertex); ++block)
        if (tally.free(0, block) > 0) free.push_back(std::min(tally.free(0, block), most));
    std::sort(free.begin(), free.end(), std::greater<>());
    BlocksNeeded needed{0};
    std::uint64_t held = 0;
    std::uint32_t blocks = 0;
    std::uint64_t alone = 0;  // base blocks of one segment by itself
    for (std::uint64_t segments = 1;; ++segments) {
        while (blocks < free.size() && held < segments * problem.unit_nodes) held += free[blocks++];
        if (segments == 1) alone = blocks;
        const std::uint64_t apart = problem.spread ? segments * alone : 0;
        if (held < segments * problem.unit_nodes || apart > free.size()) return needed;
        needed.push_back(std::max(blocks, static_cast<std::uint32_t>(apart)));
    }
}

/// Most nodes of one segment in a unit vertex, under the rule for one segment.
std::uint32_t most_of_one(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                          std::vector<std::uint32_t>& free) {
    const Below lower = below(tally, problem.unit_level, vertex, problem.segment_rule.lower);
    free.clear();
    for (std::uint32_t index = lower.first; index < lower.last; ++index)
        free.push_back(tally.free(problem.segment_rule.lower, index));
    return sum_of_largest(free, problem.segment_rule.limit);
}

/// A plain job in one scope: at most problem.limit vertices of the limited level, in them at most
/// problem.max_base_blocks base blocks.
std::uint32_t most_in_limited_and_capped(const Tally& tally, const Problem& problem,
                                         std::uint32_t scope) {
    std::uint64_t dearest = 0;
    for (BlockIndex block = tally.first_block(problem.scope_level, scope);
         block < tally.last_block(problem.scope_level, scope); ++block)
        dearest = std::max<std::uint64_t>(dearest, tally.free(0, block));
    const auto surplus = [&](BlockIndex block, std::uint64_t price) {
        return tally.free(0, block) > price ? tally.free(0, block) - price : 0;
    };
    return static_cast<std::uint32_t>(priced_bound(tally, problem, scope,
                                                   {problem.limited_level, problem.limit},
                                                   problem.max_base_blocks, dearest, surplus));
}

/// Segments larger than a base block in one scope, in segments.
std::uint32_t most_large_segments(const Tally& tally, const Problem& problem, std::uint32_t scope) {
    const Below units = below(tally, problem.scope_level, scope, problem.unit_level);
    std::vector<BlocksNeeded> all;
    std::vector<std::uint32_t> scratch;
    std::uint64_t total = 0;
    for (std::uint32_t vertex = units.first; vertex < units.last; ++vertex) {
        if (tally.free(problem.unit_level, vertex) < problem.unit_nodes) continue;
        if (most_of_one(tally, problem, vertex, scratch) < problem.unit_nodes) continue;
        all.push_back(blocks_needed(tally, problem, vertex, scratch));
        total += all.back().size() - 1;
    }
    if (problem.max_base_blocks == 0) return static_cast<std::uint32_t>(total);
    const std::uint64_t scaled = lowest_price(price_scale, [&](std::uint64_t price) {
        std::uint64_t sum = price * problem.max_base_blocks;
        for (const BlocksNeeded& needed : all) {
            std::uint64_t best = 0;
            for (std::size_t segments = 1; segments < needed.size(); ++segments)
                if (segments * price_scale > needed[segments] * price)
                    best = std::max(best, segments * price_scale - needed[segments] * price);
            sum += best;
        }
        return sum;
    });
    return static_cast<std::uint32_t>(std::min(total, scaled / price_scale));
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
