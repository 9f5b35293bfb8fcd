// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/greedy_search.hpp"

#include <algorithm>

#include "placement/greedy_fill.hpp"

namespace nvl72block {
namespace {

/// Cost of taking `taken` nodes a base block, summed up the levels.
class CostOfTaken {
  public:
    CostOfTaken(const Tally& tally, const CostLayout& layout) : tally_(tally), layout_(layout) {}

    /// `shares` ascend by block.
    [[nodiscard]] Cost operator()(const std::vector<Share>& shares) const {
        Cost cost{};
        std::size_t next = 0;
        std::uint32_t nodes = 0;
        add(cost, tally_.whole_level(), 0, shares, next, nodes);
        return cost;
    }

  private:
    void add(Cost& cost, std::size_t level, std::uint32_t index, const std::vector<Share>& shares,
             std::size_t& next, std::uint32_t& nodes) const {
        if (level == 0) {
            layout_.add_block(cost, index, shares[next].nodes);
            nodes += shares[next++].nodes;
            return;
        }
        Cost own{};
        std::uint32_t own_nodes = 0;
        const BlockIndex last = tally_.last_block(level, index);
        while (next < shares.size() && shares[next].block < last)
            add(own, level - 1, child_of(level, shares[next].block), shares, next, own_nodes);
        layout_.add_aggregate(own, level, index, own_nodes);
        layout_.add(cost, own);
        nodes += own_nodes;
    }

    /// The vertex one level below `level` that holds a base block.
    [[nodiscard]] std::uint32_t child_of(std::size_t level, BlockIndex block) const {
        return block >> tally_.topology().levels()[level - 1].exponent;
    }

    const Tally& tally_;
    const CostLayout& layout_;
};

/// The filled amounts of one scope as node shares, ascending by block.
std::vector<Share> shares_of(const Tally& tally, const CostLayout& layout, const Problem& problem,
                             const std::vector<Amount>& amounts) {
    std::vector<Share> shares;
    for (const Amount& amount : amounts) {
        if (!problem.large_segments()) {
            shares.push_back({amount.vertex, amount.units * problem.unit_nodes});
            continue;
        }
        Problem inside;  // the segments' nodes lie anywhere in this vertex
        inside.nodes = inside.units = amount.units * problem.unit_nodes;
        inside.scope_level = problem.unit_level;
        std::vector<Amount> best;
        for (const std::vector<Amount>& filled : fill(tally, layout, inside, amount.vertex))
            if (best.empty() || filled.size() < best.size()) best = filled;
        for (const Amount& part : best) shares.push_back({part.vertex, part.units});
    }
    return shares;
}

Plan cut(const Problem& problem, const std::vector<Share>& shares) {
    Plan plan;
    if (problem.segmented) {
        append_segments(plan, shares, problem.unit_nodes);
    } else {
        plan.shares = shares;
        plan.close_segment();
    }
    return plan;
}

}  // namespace

std::uint32_t base_blocks(const Plan& plan) {
    std::vector<BlockIndex> blocks;
    blocks.reserve(plan.shares.size());
    for (const Share& share : plan.shares) blocks.push_back(share.block);
    std::sort(blocks.begin(), blocks.end());
    return static_cast<std::uint32_t>(std::unique(blocks.begin(), blocks.end()) - blocks.begin());
}

std::optional<Plan> search_greedily(const Tally& tally, const CostLayout& layout,
                                    const Problem& problem) {
    const CostOfTaken cost_of(tally, layout);
    Cost best_cost = impossible_cost();
    std::vector<Share> best;
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope) {
        if (tally.required(problem.scope_level, scope) != tally.required_in_blocks()) continue;
        if (tally.free(problem.scope_level, scope) < problem.nodes) continue;
        for (const std::vector<Amount>& amounts : fill(tally, layout, problem, scope)) {
            std::vector<Share> shares = shares_of(tally, layout, problem, amounts);
            if (problem.max_base_blocks != 0 && shares.size() > problem.max_base_blocks) continue;
            const Cost cost = cost_of(shares);
            if (!layout.less(cost, best_cost)) continue;
            best_cost = cost;
            best = std::move(shares);
        }
    }
    if (best.empty()) return std::nullopt;
    Plan plan = cut(problem, best);
    plan.cost = best_cost;
    return plan;
}

}  // namespace nvl72block
