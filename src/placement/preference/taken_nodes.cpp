// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/preference/taken_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace nvl72block {
namespace {

/// Nodes taken from a vertex, and whether a whole base block of it is broken.
struct VertexTaken {
    std::uint32_t index = 0;
    std::uint32_t nodes = 0;
    bool breaks = false;
};

/// Joins vertices of one level to those of the next above, in place: of 2^exponent each.
void join_above(unsigned exponent, std::vector<VertexTaken>& taken) {
    std::size_t count = 0;
    for (const VertexTaken& child : taken) {
        const std::uint32_t index = child.index >> exponent;
        if (count > 0 && taken[count - 1].index == index) {
            taken[count - 1].nodes += child.nodes;
            taken[count - 1].breaks = taken[count - 1].breaks || child.breaks;
        } else {
            taken[count++] = {index, child.nodes, child.breaks};
        }
    }
    taken.resize(count);
}

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
    std::vector<VertexTaken> vertices;
    vertices.reserve(taken.size());
    for (const Share& share : taken) {
        layout.add_block(cost, share.block, share.nodes);
        vertices.push_back({share.block, share.nodes, tally.breaks(share.block, share.nodes)});
    }
    for (std::size_t at = 1; at <= std::min(level, tally.whole_level() - 1); ++at) {
        join_above(tally.topology().exponent_between(at - 1, at), vertices);
        for (const VertexTaken& vertex : vertices)
            layout.add_aggregate(cost, at, vertex.index, vertex.nodes, vertex.breaks);
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
