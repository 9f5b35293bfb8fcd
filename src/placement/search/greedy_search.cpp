// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/greedy_search.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "placement/preference/taken_nodes.hpp"
#include "placement/search/greedy_fill.hpp"

namespace nvl72block {
namespace {

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

Division cut(const Problem& problem, const std::vector<Share>& shares) {
    Division division;
    if (problem.segmented) {
        division.shares.reserve(shares.size() + problem.units);
        division.segment_begin.reserve(problem.units + 1U);
        append_segments(division, shares, problem.unit_nodes);
    } else {
        division.shares = shares;
        division.close_segment();
    }
    return division;
}

/// What a division takes per base block, ascending.
std::vector<Share> taken_of(const Division& division) {
    std::vector<Share> shares = division.shares;
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

std::uint32_t base_blocks(const Division& division) {
    return static_cast<std::uint32_t>(taken_of(division).size());
}

Cost cost_of(const Tally& tally, const CostLayout& layout, const Division& division) {
    return cost_of_taken(tally, layout, tally.whole_level(), taken_of(division));
}

std::optional<Division> search_greedily(const Tally& tally, const CostLayout& layout,
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
            const Cost cost = cost_of_taken(tally, layout, tally.whole_level(), shares);
            steps += shares.size() * (layout.words() + tally.weight_classes().size());
            if (!layout.less(cost, best_cost)) continue;
            best_cost = cost;
            best = std::move(shares);
        }
    }
    if (best.empty()) return std::nullopt;
    Division division = cut(problem, best);
    division.cost = best_cost;
    return division;
}

}  // namespace nvl72block
