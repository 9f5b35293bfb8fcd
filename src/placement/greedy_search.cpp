// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/greedy_search.hpp"

#include <algorithm>

#include "placement/greedy_fill.hpp"

namespace nvl72block {
namespace {

/// Adds the cost of the shares in one vertex, level by level upwards; `next` walks the shares.
void add_vertex(Cost& cost, const Tally& tally, const CostLayout& layout, std::size_t level,
                std::uint32_t index, const std::vector<Share>& shares, std::size_t& next,
                std::uint32_t& nodes) {
    if (level == 0) {
        layout.add_block(cost, index, shares[next].nodes);
        nodes += shares[next++].nodes;
        return;
    }
    Cost own{};
    std::uint32_t own_nodes = 0;
    const BlockIndex last = tally.last_block(level, index);
    const unsigned exponent = tally.topology().levels()[level - 1].exponent;
    while (next < shares.size() && shares[next].block < last)
        add_vertex(own, tally, layout, level - 1, shares[next].block >> exponent, shares, next,
                   own_nodes);
    layout.add_aggregate(own, level, index, own_nodes);
    layout.add(cost, own);
    nodes += own_nodes;
}

/// `shares` ascend by block, one a block.
Cost cost_of_shares(const Tally& tally, const CostLayout& layout,
                    const std::vector<Share>& shares) {
    Cost cost{};
    std::size_t next = 0;
    std::uint32_t nodes = 0;
    add_vertex(cost, tally, layout, tally.whole_level(), 0, shares, next, nodes);
    return cost;
}

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
        plan.shares.reserve(shares.size() + problem.units);
        plan.segment_begin.reserve(problem.units + 1U);
        append_segments(plan, shares, problem.unit_nodes);
    } else {
        plan.shares = shares;
        plan.close_segment();
    }
    return plan;
}

/// What a plan takes a base block, ascending.
std::vector<Share> taken_of(const Plan& plan) {
    std::vector<Share> shares = plan.shares;
    std::sort(shares.begin(), shares.end(),
              [](const Share& a, const Share& b) { return a.block < b.block; });
    std::vector<Share> taken;
    for (const Share& share : shares) {
        if (taken.empty() || taken.back().block != share.block)
            taken.push_back(share);
        else
            taken.back().nodes += share.nodes;
    }
    return taken;
}

}  // namespace

std::uint32_t base_blocks(const Plan& plan) {
    return static_cast<std::uint32_t>(taken_of(plan).size());
}

Cost cost_of(const Tally& tally, const CostLayout& layout, const Plan& plan) {
    return cost_of_shares(tally, layout, taken_of(plan));
}

std::optional<Plan> search_greedily(const Tally& tally, const CostLayout& layout,
                                    const Problem& problem) {
    Cost best_cost = impossible_cost();
    std::vector<Share> best;
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope) {
        if (tally.required(problem.scope_level, scope) != tally.required_in_blocks()) continue;
        if (tally.free(problem.scope_level, scope) < problem.nodes) continue;
        for (const std::vector<Amount>& amounts : fill(tally, layout, problem, scope)) {
            std::vector<Share> shares = shares_of(tally, layout, problem, amounts);
            if (problem.max_base_blocks != 0 && shares.size() > problem.max_base_blocks) continue;
            const Cost cost = cost_of_shares(tally, layout, shares);
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
