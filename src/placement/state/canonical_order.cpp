// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <numeric>

#include "placement/state/tally.hpp"

namespace nvl72block {
namespace {

/// By base block: its rank among all, by what it offers.
std::vector<std::uint32_t> ranks(const Tally& tally) {
    std::vector<BlockIndex> sorted(tally.vertices(0));
    std::iota(sorted.begin(), sorted.end(), 0U);
    const auto less = [&](BlockIndex a, BlockIndex b) { return std::is_lt(tally.compare(a, b)); };
    // Mostly all are alike.
    if (!std::is_sorted(sorted.begin(), sorted.end(), less))
        std::sort(sorted.begin(), sorted.end(), less);
    std::vector<std::uint32_t> rank(sorted.size());
    for (std::size_t i = 1; i < sorted.size(); ++i)
        rank[sorted[i]] = rank[sorted[i - 1]] + (less(sorted[i - 1], sorted[i]) ? 1 : 0);
    return rank;
}

}  // namespace

std::vector<BlockIndex> canonical_order(const Tally& tally) {
    const std::vector<std::uint32_t> rank = ranks(tally);
    std::vector<BlockIndex> order(rank.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto by_rank = [&](BlockIndex a, BlockIndex b) { return rank[a] < rank[b]; };
    // From the base blocks up: in each vertex those right below it, in each of which all is sorted.
    for (std::size_t level = 0; level < tally.whole_level(); ++level) {
        const BlockIndex width = tally.topology().levels()[level].base_blocks();
        const auto less = [&](const BlockIndex* a, const BlockIndex* b) {
            return std::lexicographical_compare(a, a + width, b, b + width, by_rank);
        };
        for (std::uint32_t above = 0; above < tally.vertices(level + 1); ++above) {
            const auto [first, last] = tally.blocks(level + 1, above);
            std::vector<const BlockIndex*> parts;  // an incomplete one stays last
            for (BlockIndex part = first; last - part >= width; part += width)
                parts.push_back(&order[part]);
            if (std::is_sorted(parts.begin(), parts.end(), less)) continue;
            std::stable_sort(parts.begin(), parts.end(), less);
            std::vector<BlockIndex> sorted;
            for (const BlockIndex* part : parts) sorted.insert(sorted.end(), part, part + width);
            std::copy(sorted.begin(), sorted.end(), order.begin() + first);
        }
    }
    return order;
}

}  // namespace nvl72block
