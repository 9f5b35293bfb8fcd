// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/greedy_search.hpp"

#include <algorithm>
#include <utility>

#include "placement/preference/taken_nodes.hpp"
#include "placement/search/greedy_fill.hpp"

namespace nvl72block {
namespace {

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
    Cost best_cost = impossible_cost();
    std::vector<Share> best;
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope) {
        if (tally.required(problem.scope_level, scope) != tally.required_in_blocks()) continue;
        if (tally.free(problem.scope_level, scope) < problem.nodes) continue;
        for (std::vector<Share>& shares : fill(tally, layout, problem, scope, steps)) {
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
