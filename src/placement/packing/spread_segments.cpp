// SPDX-License-Identifier: GPL-2.0-or-later
//
// pack_vertex() for spread segments: each has base blocks of its own.
#include <algorithm>

#include "placement/packing/segment_sets.hpp"
#include "placement/packing/ways.hpp"
#include "placement/preference/taken_nodes.hpp"

namespace nvl72block {
namespace {

/// Base blocks of a vertex with free nodes.
std::vector<BlockIndex> usable_blocks(const Tally& tally, const Problem& problem,
                                      std::uint32_t vertex) {
    std::vector<BlockIndex> blocks;
    for (BlockIndex block = tally.first_block(problem.unit_level, vertex);
         block < tally.last_block(problem.unit_level, vertex); ++block)
        if (tally.free(0, block) > 0) blocks.push_back(block);
    return blocks;
}

std::vector<SetBlock> offers_of(const Tally& tally, const Problem& problem,
                                const std::vector<BlockIndex>& blocks) {
    const auto part_of = [&](BlockIndex block) {
        return tally.topology().aggregate_of(problem.unit_level - 1, block);
    };
    std::vector<SetBlock> offers;
    offers.reserve(blocks.size());
    for (const BlockIndex block : blocks)
        offers.push_back({tally.free(0, block), tally.required(0, block),
                          part_of(block) - part_of(blocks.front())});
    return offers;
}

class SpreadPacking final : public Packing {
  public:
    SpreadPacking(const PackedVertex& vertex, Effort& effort)
        : Packing(vertex, 0, usable_blocks(vertex.tally, vertex.problem, vertex.index), effort),
          offers_(offers_of(tally_, vertex.problem, parts_)) {
        effort_.steps += parts_.size();
    }

    [[nodiscard]] std::uint32_t bound() const override {
        return most_packed(tally_, vertex_.problem, vertex_.index, effort_);
    }

  protected:
    void construct(std::uint32_t segments) override;
    bool attains(const LabelKey& amount) override { return has_least_cost(amount); }
    [[nodiscard]] SubsetRule subset_rule() const override;
    void keep_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen) override;

  private:
    void propose_sets(std::uint32_t segments, const SegmentSets& sets, TakeOrder order);
    void propose(std::uint32_t segments, std::vector<std::vector<Share>> shares);

    std::vector<SetBlock> offers_;  // of the parts
};

void SpreadPacking::construct(std::uint32_t segments) {
    const std::uint32_t limit = vertex_.problem.max_base_blocks;
    if (limit != 0 && vertex_.least_blocks(segments) > limit) {
        impossible_[segments] = 1;
        return;
    }
    const auto sets = choose_sets(offers_, rule_, segments, effort_);
    if (!sets) return;
    for (const TakeOrder order : {TakeOrder::largest, TakeOrder::broken})
        propose_sets(segments, *sets, order);
}

void SpreadPacking::propose_sets(std::uint32_t segments, const SegmentSets& sets, TakeOrder order) {
    std::vector<std::vector<Share>> shares;
    for (const std::vector<std::uint32_t>& set : sets) {
        std::vector<BlockIndex> blocks;
        blocks.reserve(set.size());
        for (const std::uint32_t block : set) blocks.push_back(parts_[block]);
        shares.push_back(take_nodes(tally_, std::move(blocks), rule_.nodes, order, effort_));
    }
    propose(segments, std::move(shares));
}

SubsetRule SpreadPacking::subset_rule() const {
    SubsetRule rule{rule_, true, {}};
    for (const SetBlock& offer : offers_) rule.group.push_back(offer.group);
    return rule;
}

void SpreadPacking::keep_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen) {
    std::vector<std::vector<Share>> shares;
    for (const ChosenGroup& group : chosen) {
        std::vector<Share>& segment = shares.emplace_back();
        for (std::size_t i = 0; i < group.amounts.size(); ++i)
            segment.push_back({parts_[group.group.parts[i]], group.amounts[i].units});
    }
    propose(segments, std::move(shares));
}

void SpreadPacking::propose(std::uint32_t segments, std::vector<std::vector<Share>> shares) {
    std::vector<Share> taken;
    for (const std::vector<Share>& segment : shares)
        taken.insert(taken.end(), segment.begin(), segment.end());
    std::sort(taken.begin(), taken.end(),
              [](const Share& a, const Share& b) { return a.block < b.block; });
    if (is_better(segments, taken)) keep(segments, taken, std::move(shares));
}

}  // namespace

std::unique_ptr<Packing> spread_packing(const PackedVertex& vertex, Effort& effort) {
    return std::make_unique<SpreadPacking>(vertex, effort);
}

std::uint32_t most_spread(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                          Effort& effort) {
    return most_sets(offers_of(tally, problem, usable_blocks(tally, problem, vertex)),
                     {problem.unit_nodes, problem.segment_rule.limit}, effort);
}

}  // namespace nvl72block
