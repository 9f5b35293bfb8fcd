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

class Taking {
  public:
    Taking(const Tally& tally, std::vector<BlockIndex> blocks, Effort& effort)
        : tally_(tally), effort_(effort), blocks_(std::move(blocks)), taken_(blocks_.size(), 0) {}

    std::vector<Share> run(std::uint32_t nodes, TakeOrder order) {
        std::ranges::sort(blocks_, std::less{},
                          [&](BlockIndex block) { return key(block, order); });
        effort_.steps += 2 * blocks_.size();
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            taken_[i] = tally_.required(0, blocks_[i]);
            nodes -= taken_[i];
        }
        const std::size_t classes = tally_.weight_classes().size();
        for (std::size_t at = 0; at < classes && nodes > 0; ++at) take_class(at, nodes, order);
        std::vector<Share> shares;
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (taken_[i] > 0) shares.push_back({blocks_[i], taken_[i]});
        std::ranges::sort(shares, std::less{}, &Share::block);
        return shares;
    }

  private:
    /// Blocks with required nodes are used anyway and come first.
    [[nodiscard]] std::tuple<bool, bool, std::uint32_t, BlockIndex> key(BlockIndex block,
                                                                        TakeOrder order) const {
        return {tally_.required(0, block) == 0,
                order == TakeOrder::broken && tally_.whole(0, block), ~tally_.free(0, block),
                block};
    }

    void take_class(std::size_t weight_class, std::uint32_t& nodes, TakeOrder order) {
        const bool single = tally_.weight_classes().size() == 1;
        // Whole blocks may be asked for their spare nodes before any of them is broken.
        for (const bool spare_only : {true, false}) {
            if (spare_only && !(single && order == TakeOrder::broken)) continue;
            for (std::size_t i = 0; i < blocks_.size() && nodes > 0; ++i) {
                ++effort_.steps;
                const BlockIndex block = blocks_[i];
                std::uint32_t room = single ? tally_.free(0, block) - taken_[i]
                                            : tally_.class_offers(block)[weight_class].optional();
                if (spare_only && tally_.whole(0, block)) {
                    const std::uint32_t spare = tally_.spare(block);
                    room = spare > taken_[i] ? spare - taken_[i] : 0;
                }
                const std::uint32_t more = std::min(room, nodes);
                taken_[i] += more;
                nodes -= more;
            }
        }
    }

    const Tally& tally_;
    Effort& effort_;
    std::vector<BlockIndex> blocks_;
    std::vector<std::uint32_t> taken_;
};

}  // namespace

Cost cost_of_taken(const CostLayout& layout, std::size_t level, const std::vector<Share>& taken) {
    const Tally& tally = layout.tally();
    Cost cost{};
    std::vector<VertexTaken> vertices;
    vertices.reserve(taken.size());
    for (const Share& share : taken) {
        layout.add_block(cost, share.block, share.nodes);
        vertices.push_back({share.block, share.nodes,
                            tally.whole(0, share.block) && share.nodes > tally.spare(share.block)});
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
    return Taking(tally, std::move(blocks), effort).run(nodes, order);
}

}  // namespace nvl72block
