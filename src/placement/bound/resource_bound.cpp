// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/bound/resource_bound.hpp"

#include <algorithm>
#include <functional>

namespace nvl72block {

ResourceBound::ResourceBound(const Tally& tally, const State& state,
                             std::span<const std::uint32_t> per_node, std::uint64_t total)
    : tally_(tally), total_(total) {
    std::vector<std::uint32_t> values;
    for (BlockIndex block = 0; block < tally.topology().block_count(); ++block) {
        values.clear();
        tally.topology().for_each(block, state.usable,
                                  [&](NodeIndex node) { values.push_back(per_node[node]); });
        std::ranges::sort(values, std::greater{});
        Richest here;
        for (std::size_t i = 0; i < values.size(); ++i) {
            here = {values[i], here.nodes + 1, here.sum + values[i]};
            if (i + 1 == values.size() || values[i + 1] != values[i]) richest_.push_back(here);
        }
        begin_.push_back(static_cast<std::uint32_t>(richest_.size()));
        if (values.empty()) continue;
        smallest_ = std::min(smallest_, values.back());
        largest_ = std::max(largest_, values.front());
    }
    dear_ = begin_;
}

std::uint64_t ResourceBound::surplus(BlockIndex block, std::uint32_t nodes,
                                     std::uint64_t price) const {
    // Mostly it is where it was at the price before.
    std::uint32_t& end = dear_[block];
    while (end < begin_[block + 1] && richest_[end].value > price) ++end;
    while (end > begin_[block] && richest_[end - 1].value <= price) --end;
    std::uint32_t at = end;
    while (at > begin_[block] && richest_[at - 1].nodes > nodes) --at;
    const Richest whole = at > begin_[block] ? richest_[at - 1] : Richest{};
    const std::uint64_t sum = whole.sum - price * whole.nodes;
    return at == end ? sum : sum + (nodes - whole.nodes) * (richest_[at].value - price);
}

bool ResourceBound::may_hold(const Problem& problem, bool or_fewer, std::uint64_t& steps) const {
    if (std::uint64_t{largest_} * problem.nodes < total_) return false;
    std::vector<std::uint32_t> nodes(tally_.vertices(0));  // of each base block, at most
    for (BlockIndex block = 0; block < nodes.size(); ++block) {
        nodes[block] = tally_.free(0, block);
        if (!problem.segmented || problem.large_segments()) continue;
        const std::uint32_t units = nodes[block] / problem.unit_nodes;
        nodes[block] = (problem.spread ? std::min(units, 1U) : units) * problem.unit_nodes;
    }
    std::uint64_t looks = nodes.size() / 8;  // as long as what was just done
    const auto beyond = [&](BlockIndex block, std::uint64_t price) {
        ++looks;
        return surplus(block, nodes[block], price);
    };
    // Whatever a node costs: so many times its price, and what the nodes are worth beyond it.
    const auto holds = [&](std::uint32_t scope, const LimitedLevel& limited, std::uint64_t& tried) {
        return reaches(total_, largest_, tried, [&](std::uint64_t price) {
            return price * problem.nodes +
                   surplus_of(tally_, problem.scope_level, scope, limited, price, beyond);
        });
    };
    const auto serves = [&](std::uint32_t scope) {
        return tally_.required(problem.scope_level, scope) == tally_.required_in_blocks() &&
               (or_fewer || tally_.free(problem.scope_level, scope) >= problem.nodes);
    };
    const LimitedLevel capped{0, problem.max_base_blocks};
    LimitedLevel lower{problem.limited_level, problem.limit};
    if (problem.limit == 0) lower = {0, tally_.vertices(0)};
    const bool one_limit = problem.limit == 0 && capped.most != 0;
    bool any = false;
    for (std::uint32_t scope = 0; scope < tally_.vertices(problem.scope_level) && !any; ++scope)
        any = serves(scope) && (capped.most == 0 || holds(scope, capped, price_capped_)) &&
              (one_limit || holds(scope, lower, price_));
    steps += looks;
    return any;
}

}  // namespace nvl72block
