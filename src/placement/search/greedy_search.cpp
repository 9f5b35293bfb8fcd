// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/greedy_search.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "placement/search/greedy_fill.hpp"

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
    while (next < shares.size() && shares[next].block < last)
        add_vertex(own, tally, layout, level - 1,
                   tally.topology().aggregate_of(level - 1, shares[next].block), shares, next,
                   own_nodes);
    layout.add_aggregate(own, level, index, own_nodes);
    layout.add(cost, own);
    nodes += own_nodes;
}

/// `shares` ascend by block, one per block.
Cost cost_of_shares(const Tally& tally, const CostLayout& layout,
                    const std::vector<Share>& shares) {
    Cost cost{};
    std::size_t next = 0;
    std::uint32_t nodes = 0;
    add_vertex(cost, tally, layout, tally.whole_level(), 0, shares, next, nodes);
    return cost;
}

/// The filled amounts of a scope as node shares.
class Sharing {
  public:
    Sharing(const Tally& tally, const CostLayout& layout, const Problem& problem,
            std::uint64_t& steps)
        : tally_(tally), layout_(layout), problem_(problem), steps_(steps) {}

    /// Ascending by block.
    std::vector<Share> shares_of(const std::vector<Amount>& amounts) {
        std::vector<Share> shares;
        for (const Amount& amount : amounts) {
            if (problem_.large_segments()) {
                for (const Amount& part : inside(amount))
                    shares.push_back({part.vertex, part.units});
            } else {
                shares.push_back({amount.vertex, amount.units * problem_.unit_nodes});
            }
        }
        return shares;
    }

  private:
    /// In as few base blocks of the vertex as may be: the nodes of segments lie anywhere in it.
    const std::vector<Amount>& inside(const Amount& amount) {
        const auto [known, is_new] = inside_.try_emplace({amount.vertex, amount.units});
        std::vector<Amount>& best = known->second;
        if (!is_new) return best;
        Problem nodes;
        nodes.nodes = nodes.units = amount.units * problem_.unit_nodes;
        nodes.scope_level = problem_.unit_level;
        for (std::vector<Amount>& filled : fill(tally_, layout_, nodes, amount.vertex, steps_))
            if (best.empty() || filled.size() < best.size()) best = std::move(filled);
        return best;
    }

    const Tally& tally_;
    const CostLayout& layout_;
    const Problem& problem_;
    std::uint64_t& steps_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Amount>> inside_;  // by Amount
};

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
                                    const Problem& problem, std::uint64_t& steps) {
    Sharing sharing(tally, layout, problem, steps);
    Cost best_cost = impossible_cost();
    std::vector<Share> best;
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope) {
        if (tally.required(problem.scope_level, scope) != tally.required_in_blocks()) continue;
        if (tally.free(problem.scope_level, scope) < problem.nodes) continue;
        for (const std::vector<Amount>& amounts : fill(tally, layout, problem, scope, steps)) {
            std::vector<Share> shares = sharing.shares_of(amounts);
            if (problem.max_base_blocks != 0 && shares.size() > problem.max_base_blocks) continue;
            const Cost cost = cost_of_shares(tally, layout, shares);
            steps += shares.size() * (layout.words() + tally.weight_classes().size());
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
