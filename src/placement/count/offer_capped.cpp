// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/count/offer_capped.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "placement/count/lowest_price.hpp"
#include "placement/count/offer.hpp"

namespace nvl72block {
namespace {

/// Prices of a base block in segments are multiples of 1 / price_scale.
constexpr std::uint64_t price_scale = 1U << 12;

/// Base blocks that the first k segments of one unit vertex need at least, for k = 0, 1, …
using BlocksNeeded = std::vector<std::uint32_t>;

/// Most nodes of `count` base blocks in each vertex of the limited level, of `limit` vertices.
std::uint64_t worth(const Tally& tally, const Problem& problem, std::uint32_t scope,
                    std::uint64_t price, std::vector<std::uint64_t>& values) {
    const Below range = below(tally, problem.scope_level, scope, problem.limited_level);
    values.clear();
    for (std::uint32_t vertex = range.first; vertex < range.last; ++vertex) {
        std::uint64_t value = 0;
        for (BlockIndex block = tally.first_block(problem.limited_level, vertex);
             block < tally.last_block(problem.limited_level, vertex); ++block)
            value += tally.free(0, block) > price ? tally.free(0, block) - price : 0;
        values.push_back(value);
    }
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(
                                          std::min<std::size_t>(problem.limit, values.size()));
    if (end != values.end()) std::nth_element(values.begin(), end, values.end(), std::greater<>());
    return std::accumulate(values.begin(), end, std::uint64_t{0});
}

BlocksNeeded blocks_needed(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                           std::vector<std::uint32_t>& free) {
    const std::size_t level = problem.unit_level;
    free.clear();
    for (BlockIndex block = tally.first_block(level, vertex);
         block < tally.last_block(level, vertex); ++block)
        if (tally.free(0, block) > 0) free.push_back(tally.free(0, block));
    std::sort(free.begin(), free.end(), std::greater<>());
    BlocksNeeded needed{0};
    if (free.empty()) return needed;
    const std::uint32_t alone = (problem.unit_nodes + free[0] - 1) / free[0];
    std::uint64_t held = 0;
    std::uint32_t blocks = 0;
    for (std::uint64_t segments = 1;; ++segments) {
        while (blocks < free.size() && held < segments * problem.unit_nodes) held += free[blocks++];
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
    const auto end = free.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                        problem.segment_rule.limit, free.size()));
    if (end != free.end()) std::nth_element(free.begin(), end, free.end(), std::greater<>());
    return std::accumulate(free.begin(), end, 0U);
}

}  // namespace

std::uint32_t most_in_limited_and_capped(const Tally& tally, const Problem& problem,
                                         std::uint32_t scope) {
    std::uint64_t dearest = 0;
    for (BlockIndex block = tally.first_block(problem.scope_level, scope);
         block < tally.last_block(problem.scope_level, scope); ++block)
        dearest = std::max<std::uint64_t>(dearest, tally.free(0, block));
    std::vector<std::uint64_t> values;
    return static_cast<std::uint32_t>(lowest_price(dearest, [&](std::uint64_t price) {
        return price * problem.max_base_blocks + worth(tally, problem, scope, price, values);
    }));
}

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

}  // namespace nvl72block
