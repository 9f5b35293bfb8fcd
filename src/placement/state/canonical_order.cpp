// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <numeric>

#include "placement/state/tally.hpp"

namespace nvl72block {

std::vector<BlockIndex> canonical_order(const Tally& tally) {
    std::vector<BlockIndex> order(tally.vertices(0));
    std::iota(order.begin(), order.end(), 0U);
    const auto before = [&](BlockIndex a, BlockIndex b) { return std::is_lt(tally.compare(a, b)); };
    // From the base blocks up: in each vertex those right below it, in each of which all is sorted.
    for (std::size_t level = 0; level < tally.whole_level(); ++level) {
        const BlockIndex width = tally.topology().levels()[level].base_blocks();
        const auto less = [&](const BlockIndex* a, const BlockIndex* b) {
            return std::lexicographical_compare(a, a + width, b, b + width, before);
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
