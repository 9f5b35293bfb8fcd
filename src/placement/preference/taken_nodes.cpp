// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/preference/taken_nodes.hpp"

#include <algorithm>
#include <tuple>

namespace nvl72block {
namespace {

/// What a division takes per base block, ascending.
std::vector<Share> taken_of(const Division& division) {
    std::vector<Share> shares = division.shares;
    std::ranges::sort(shares, std::less{}, &Share::block);
    return joined(shares, 0);
}

/// Takes from block after block what each has room for, as long as nodes are missing.
template <typename Room>
void take(std::vector<Share>& taken, std::uint32_t& nodes, Effort& effort, Room room) {
    for (auto share = taken.begin(); share != taken.end() && nodes > 0; ++share) {
        ++effort.steps;
        const std::uint32_t more = std::min(room(*share), nodes);
        share->nodes += more;
        nodes -= more;
    }
}

}  // namespace

Cost cost_of_taken(const CostLayout& layout, std::size_t level, const std::vector<Share>& taken) {
    const Tally& tally = layout.tally();
    Cost cost{};
    for (const Share& share : taken) layout.add_block(cost, share.block, share.nodes);
    for (std::size_t at = 1; at <= std::min(level, tally.whole_level() - 1); ++at) {
        const unsigned exponent = tally.topology().exponent_between(0, at);
        for (auto share = taken.begin(); share != taken.end();) {
            const std::uint32_t vertex = share->block >> exponent;
            std::uint32_t nodes = 0;
            bool breaks = false;
            for (; share != taken.end() && share->block >> exponent == vertex; ++share) {
                nodes += share->nodes;
                breaks = breaks || tally.breaks(share->block, share->nodes);
            }
            layout.add_aggregate(cost, at, vertex, nodes, breaks);
        }
    }
    return cost;
}

Cost cost_of(const CostLayout& layout, const Division& division) {
    return cost_of_taken(layout, layout.tally().whole_level(), taken_of(division));
}

std::uint32_t base_blocks(const Division& division) {
    return static_cast<std::uint32_t>(taken_of(division).size());
}

std::vector<Share> take_nodes(const Tally& tally, std::vector<BlockIndex> blocks,
                              std::uint32_t nodes, TakeOrder order, Effort& effort) {
    // Blocks with required nodes are used anyway and come first.
    std::ranges::sort(blocks, std::less{}, [&](BlockIndex block) {
        return std::tuple(tally.required(0, block) == 0,
                          order == TakeOrder::broken && tally.whole(0, block),
                          ~tally.free(0, block), block);
    });
    effort.steps += 2 * blocks.size();
    std::vector<Share> taken;
    for (const BlockIndex block : blocks) {
        taken.push_back({block, tally.required(0, block)});
        nodes -= taken.back().nodes;
    }
    const auto room = [&](const Share& share) { return tally.free(0, share.block) - share.nodes; };
    const std::size_t classes = tally.weight_classes().size();
    // Whole blocks may be asked for their spare nodes before any of them is broken.
    if (classes == 1 && order == TakeOrder::broken)
        take(taken, nodes, effort, [&](const Share& share) {
            if (!tally.whole(0, share.block)) return room(share);
            const std::uint32_t spare = tally.spare(share.block);
            return spare > share.nodes ? spare - share.nodes : 0;
        });
    if (classes == 1) take(taken, nodes, effort, room);
    for (std::size_t at = 0; classes > 1 && at < classes; ++at)
        take(taken, nodes, effort,
             [&](const Share& share) { return tally.class_offers(share.block)[at].optional(); });
    std::erase_if(taken, [](const Share& share) { return share.nodes == 0; });
    std::ranges::sort(taken, std::less{}, &Share::block);
    return taken;
}

}  // namespace nvl72block
