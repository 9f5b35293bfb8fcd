// SPDX-License-Identifier: GPL-2.0-or-later
//
// pack_vertex() for spread segments: each has base blocks of its own.
#include <algorithm>

#include "placement/packing/relaxed_costs.hpp"
#include "placement/packing/segment_sets.hpp"
#include "placement/packing/subset_choice.hpp"
#include "placement/packing/ways.hpp"
#include "placement/preference/taken_nodes.hpp"

namespace nvl72block {
namespace {

/// Base blocks of a vertex with free nodes.
struct SpreadBlocks {
    std::vector<SetBlock> blocks;
    std::vector<BlockIndex> index;

    SpreadBlocks(const Tally& tally, const Problem& problem, std::uint32_t vertex) {
        const BlockIndex first = tally.first_block(problem.unit_level, vertex);
        const auto part_of = [&](BlockIndex block) {
            return tally.topology().aggregate_of(problem.unit_level - 1, block);
        };
        for (BlockIndex block = first; block < tally.last_block(problem.unit_level, vertex);
             ++block)
            if (const std::uint32_t free = tally.free(0, block); free > 0) {
                blocks.push_back({free, tally.required(0, block), part_of(block) - part_of(first)});
                index.push_back(block);
            }
    }
};

class SpreadPacking {
  public:
    SpreadPacking(const PackedVertex& vertex, Effort& effort)
        : vertex_(vertex),
          tally_(vertex.tally),
          effort_(effort),
          rule_{vertex.problem.unit_nodes, vertex.problem.segment_rule.limit},
          collected_(vertex, effort),
          blocks_(vertex.tally, vertex.problem, vertex.index) {
        effort_.steps += blocks_.blocks.size();
    }

    PackedWays run(std::uint32_t least, std::uint32_t most);
    std::vector<PackedWay> only_construct(std::uint32_t segments) {
        impossible_.assign(segments + 1U, 0);
        construct(segments);
        return std::move(collected_).ways();
    }

  private:
    void construct(std::uint32_t segments);
    void propose_sets(std::uint32_t segments, const SegmentSets& sets, TakeOrder order);
    [[nodiscard]] bool try_subsets(const RelaxedCosts& relaxed, std::uint32_t least,
                                   std::uint32_t most);
    void propose_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen);
    void propose(std::uint32_t segments, std::vector<std::vector<Share>> shares);
    [[nodiscard]] bool is_least_cost(RelaxedCosts& relaxed, std::uint32_t least,
                                     std::uint32_t most);

    const PackedVertex& vertex_;
    const Tally& tally_;
    Effort& effort_;
    SegmentRule rule_;
    PackedCollector collected_;
    SpreadBlocks blocks_;
    std::vector<std::uint8_t> impossible_;  // per number of segments: proven that there is no way
};

PackedWays SpreadPacking::run(std::uint32_t least, std::uint32_t most) {
    const std::uint32_t required = tally_.required(vertex_.level(), vertex_.index);
    if (least == 0 && required == 0) collected_.keep(0, {}, {});
    least = std::max({least, 1U, (required + rule_.nodes - 1) / rule_.nodes});
    most = std::min(most, most_packed(tally_, vertex_.problem, vertex_.index, effort_));
    PackedWays result;
    if (least <= most) {
        impossible_.assign(most + 1U, 0);
        for (std::uint32_t segments = least; segments <= most; ++segments)
            if (segments == least || segments == most || effort_.left() > 0) construct(segments);
        RelaxedCosts relaxed(vertex_, least, most, effort_);
        const bool all = try_subsets(relaxed, least, most);
        // Costs of levels between are no sums over segments: there the least cost must be met.
        result.exact = (all && vertex_.lower() == 0) || is_least_cost(relaxed, least, most);
        for (std::uint32_t segments = least; segments <= most; ++segments)
            result.complete =
                result.complete && (impossible_[segments] != 0 || collected_.has(segments));
    }
    result.ways = std::move(collected_).ways();
    return result;
}

void SpreadPacking::construct(std::uint32_t segments) {
    const std::uint32_t limit = vertex_.problem.max_base_blocks;
    if (limit != 0 && vertex_.least_blocks(segments) > limit) {
        impossible_[segments] = 1;
        return;
    }
    const auto sets = choose_sets(blocks_.blocks, rule_, segments, effort_);
    if (!sets) return;
    for (const TakeOrder order : {TakeOrder::largest, TakeOrder::broken})
        propose_sets(segments, *sets, order);
}

void SpreadPacking::propose_sets(std::uint32_t segments, const SegmentSets& sets, TakeOrder order) {
    std::vector<std::vector<Share>> shares;
    for (const std::vector<std::uint32_t>& set : sets) {
        std::vector<BlockIndex> blocks;
        for (const std::uint32_t block : set) blocks.push_back(blocks_.index[block]);
        shares.push_back(take_nodes(tally_, std::move(blocks), rule_.nodes, order, effort_));
    }
    propose(segments, std::move(shares));
}

/// Every division of the base blocks into sets. False when there are too many.
bool SpreadPacking::try_subsets(const RelaxedCosts& relaxed, std::uint32_t least,
                                std::uint32_t most) {
    if (blocks_.blocks.size() > SubsetChoice::most_parts_tried) return false;
    const std::uint32_t most_blocks = vertex_.problem.max_base_blocks;
    std::vector<const LabelTable*> parts;
    SubsetRule rule{rule_, true, {}};
    std::uint32_t required = 0;
    for (std::uint32_t i = 0; i < blocks_.blocks.size(); ++i) {
        parts.push_back(&relaxed.part(0, blocks_.index[i]));
        rule.group.push_back(blocks_.blocks[i].group);
        if (blocks_.blocks[i].required > 0) required |= 1U << i;
    }
    SubsetChoice choice(vertex_, std::move(parts), rule, most, effort_);
    if (!choice.run()) return false;
    for (std::uint32_t segments = least; segments <= most; ++segments) {
        for (std::uint32_t blocks = 0; blocks <= most_blocks; ++blocks)
            if (const auto chosen = choice.cheapest(segments, blocks, required))
                propose_chosen(segments, *chosen);
        if (!collected_.has(segments)) impossible_[segments] = 1;
    }
    return true;
}

void SpreadPacking::propose_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen) {
    std::vector<std::vector<Share>> shares;
    for (const ChosenGroup& group : chosen) {
        std::vector<Share>& segment = shares.emplace_back();
        for (std::size_t i = 0; i < group.amounts.size(); ++i)
            segment.push_back({blocks_.index[group.group.parts[i]], group.amounts[i].units});
    }
    propose(segments, std::move(shares));
}

void SpreadPacking::propose(std::uint32_t segments, std::vector<std::vector<Share>> shares) {
    std::vector<Share> taken;
    for (const std::vector<Share>& segment : shares)
        taken.insert(taken.end(), segment.begin(), segment.end());
    std::sort(taken.begin(), taken.end(),
              [](const Share& a, const Share& b) { return a.block < b.block; });
    if (collected_.is_better(segments, taken)) collected_.keep(segments, taken, std::move(shares));
}

/// Whether nothing is better even if segments could be cut anyhow.
bool SpreadPacking::is_least_cost(RelaxedCosts& relaxed, std::uint32_t least, std::uint32_t most) {
    if (!relaxed.find()) return false;
    bool exact = true;
    for (std::uint32_t segments = least; segments <= most; ++segments) {
        const std::vector<LabelKey> amounts = relaxed.amounts(segments);
        for (const LabelKey& amount : amounts)
            if (impossible_[segments] == 0 &&
                collected_.best_cost(segments, amount.blocks) != relaxed.cost(amount))
                exact = false;
        if (amounts.empty()) impossible_[segments] = 1;
    }
    return exact;
}

}  // namespace

PackedWays pack_spread(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most,
                       Effort& effort) {
    return SpreadPacking(vertex, effort).run(least, most);
}

std::vector<PackedWay> construct_spread(const PackedVertex& vertex, std::uint32_t segments,
                                        Effort& effort) {
    return SpreadPacking(vertex, effort).only_construct(segments);
}

std::uint32_t most_spread(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                          Effort& effort) {
    const SpreadBlocks blocks(tally, problem, vertex);
    return most_sets(blocks.blocks, {problem.unit_nodes, problem.segment_rule.limit}, effort);
}

}  // namespace nvl72block
