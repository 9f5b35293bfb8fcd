// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/greedy_search.hpp"

#include <algorithm>

namespace nvl72block {

std::uint32_t base_blocks(const Plan& plan) {
    std::vector<BlockIndex> blocks;
    blocks.reserve(plan.shares.size());
    for (const Share& share : plan.shares) blocks.push_back(share.block);
    std::sort(blocks.begin(), blocks.end());
    return static_cast<std::uint32_t>(std::unique(blocks.begin(), blocks.end()) - blocks.begin());
}

std::optional<Plan> search_greedily(const Tally&, const CostLayout&, const Problem&) {
    return std::nullopt;
}

}  // namespace nvl72block
