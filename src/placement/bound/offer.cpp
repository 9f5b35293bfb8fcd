// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/bound/offer.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

/// Prices of a base block in segments are multiples of 1 / price_scale.
constexpr std::uint64_t price_scale = 1U << 12;

/// Most nodes of one segment in a unit vertex, under the rule for one segment.
std::uint32_t most_of_one(const Tally& tally, const Problem& problem, std::uint32_t vertex) {
    const std::size_t lower = problem.segment_rule.lower;
    std::vector<std::uint32_t> free;
    for (const std::uint32_t index : tally.below(problem.unit_level, vertex, lower))
        free.push_back(tally.free(lower, index));
    return sum_of_largest(free, problem.segment_rule.limit);
}

/// A plain job in one scope: at most problem.limit vertices of the limited level, in them at most
/// problem.max_base_blocks base blocks.
std::uint32_t most_in_limited_and_capped(const Tally& tally, const Problem& problem,
                                         std::uint32_t scope) {
    std::uint64_t dearest = 0;
    for (const BlockIndex block : tally.blocks(problem.scope_level, scope))
        dearest = std::max<std::uint64_t>(dearest, tally.free(0, block));
    const auto surplus = [&](BlockIndex block, std::uint64_t price) {
        return tally.free(0, block) > price ? tally.free(0, block) - price : 0;
    };
    const LimitedLevel limited{problem.limited_level, problem.limit};
    return static_cast<std::uint32_t>(lowest_price(dearest, [&](std::uint64_t price) {
        return price * problem.max_base_blocks +
               surplus_of(tally, problem.scope_level, scope, limited, price, surplus);
    }));
}

/// Segments larger than a base block in one scope, in segments.
std::uint32_t most_large_segments(const Tally& tally, const Problem& problem, std::uint32_t scope) {
    std::vector<std::vector<std::uint32_t>> all;  // blocks_needed()
    std::uint64_t total = 0;
    for (const std::uint32_t vertex : tally.below(problem.scope_level, scope, problem.unit_level)) {
        if (tally.free(problem.unit_level, vertex) < problem.unit_nodes) continue;
        if (most_of_one(tally, problem, vertex) < problem.unit_nodes) continue;
        all.push_back(blocks_needed(tally, problem, vertex));
        total += all.back().size() - 1;
    }
    if (problem.max_base_blocks == 0) return static_cast<std::uint32_t>(total);
    const std::uint64_t scaled = lowest_price(price_scale, [&](std::uint64_t price) {
        std::uint64_t sum = price * problem.max_base_blocks;
        for (const std::vector<std::uint32_t>& needed : all) {
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

/// What the best vertices of a level give of which no more than `left` may be used, those with
/// required nodes in any case: nothing where these are too many.
template <typename Offer>
std::uint32_t most_of_level(const Tally& tally, const Problem& problem, std::uint32_t scope,
                            std::size_t level, std::uint64_t left, Offer offer) {
    std::uint32_t sum = 0;
    std::vector<std::uint32_t> others;
    for (const std::uint32_t index : tally.below(problem.scope_level, scope, level)) {
        if (tally.required(level, index) == 0) {
            others.push_back(offer(index));
            continue;
        }
        if (left-- == 0) return 0;
        sum += offer(index);
    }
    return sum + sum_of_largest(others, left);
}

/// A plain job above level 0.
std::uint32_t most_plain(const Tally& tally, const Problem& problem, std::uint32_t scope) {
    const auto limited = [&](std::size_t level, std::uint32_t limit) {
        return most_of_level(tally, problem, scope, level, limit,
                             [&](std::uint32_t index) { return tally.free(level, index); });
    };
    std::uint32_t most = tally.free(problem.scope_level, scope);
    if (problem.limit != 0) most = limited(problem.limited_level, problem.limit);
    if (problem.max_base_blocks == 0) return most;
    most = std::min(most, limited(0, problem.max_base_blocks));
    if (problem.limit == 0 || problem.limited_level == 0 || most < problem.nodes) return most;
    return std::min(most, most_in_limited_and_capped(tally, problem, scope));
}

std::uint32_t most_units(const Tally& tally, const Problem& problem, std::uint32_t scope) {
    const bool limited = problem.max_base_blocks != 0 && !problem.large_segments();
    bool possible = true;
    const auto offer = [&](std::uint32_t index) {
        const UnitRange range = unit_range(tally, problem, index);
        possible = possible && range.least <= range.most;
        return range.most;
    };
    const std::uint64_t usable =
        limited ? problem.max_base_blocks : tally.vertices(problem.unit_level);
    const std::uint32_t most =
        most_of_level(tally, problem, scope, problem.unit_level, usable, offer);
    return possible ? most : 0;
}

}  // namespace

std::vector<std::uint32_t> blocks_needed(const Tally& tally, const Problem& problem,
                                         std::uint32_t vertex) {
    // A base block that one segment has to itself gives no more than that segment takes.
    const std::uint32_t most = problem.spread ? problem.unit_nodes : ~std::uint32_t{0};
    std::vector<std::pair<std::uint32_t, bool>> offers;  // nodes, and whether any is required
    for (const BlockIndex block : tally.blocks(problem.unit_level, vertex))
        if (tally.free(0, block) > 0)
            offers.emplace_back(std::min(tally.free(0, block), most), tally.required(0, block) > 0);
    std::sort(offers.begin(), offers.end(), std::greater<>());
    std::uint64_t alone = 0;  // base blocks of one segment by itself
    for (std::uint64_t held = 0; alone < offers.size() && held < problem.unit_nodes; ++alone)
        held += offers[alone].first;
    const auto others = std::stable_partition(offers.begin(), offers.end(),
                                              [](const auto& offer) { return offer.second; });
    const auto required = static_cast<std::size_t>(others - offers.begin());
    std::vector<std::uint32_t> needed{0};
    std::uint64_t held = 0;
    std::size_t blocks = 0;
    for (std::uint64_t segments = 1;; ++segments) {
        const std::uint64_t nodes = segments * problem.unit_nodes;
        while (blocks < offers.size() && (blocks < required || held < nodes))
            held += offers[blocks++].first;
        const std::uint64_t apart = problem.spread ? segments * alone : 0;
        if (held < nodes || apart > offers.size()) return needed;
        needed.push_back(static_cast<std::uint32_t>(std::max<std::uint64_t>(blocks, apart)));
    }
}

std::uint32_t most_nodes(const Tally& tally, const Problem& problem) {
    std::uint32_t best = 0;
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope) {
        if (tally.required(problem.scope_level, scope) != tally.required_in_blocks()) continue;
        if (tally.free(problem.scope_level, scope) <= best) continue;
        std::uint32_t nodes = 0;
        if (problem.segmented) {
            std::uint32_t units = most_units(tally, problem, scope);
            if (problem.large_segments() && units > 0)
                units = std::min(units, most_large_segments(tally, problem, scope));
            nodes = units * problem.unit_nodes;
        } else if (problem.scope_level == 0) {
            nodes = block_range(tally, problem, scope).most;
        } else {
            nodes = most_plain(tally, problem, scope);
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
