// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/bound/resource_bound.hpp"

#include <algorithm>
#include <functional>

namespace nvl72block {

ResourceBound::ResourceBound(const Tally& tally, const State& state,
                             std::span<const std::uint32_t> per_node, std::uint64_t total)
    : tally_(tally), total_(total) {
    for (BlockIndex block = 0; block < tally.topology().block_count(); ++block) {
        const auto begin = static_cast<std::ptrdiff_t>(equals_.size());
        tally.topology().for_each(block, state.usable, [&](NodeIndex node) {
            const std::uint32_t value = per_node[node];
            const auto at = std::ranges::lower_bound(equals_.begin() + begin, equals_.end(), value,
                                                     std::greater{}, &Equal::value);
            if (at != equals_.end() && at->value == value)
                ++at->nodes;
            else
                equals_.insert(at, {value, 1});
            smallest_ = std::min(smallest_, value);
            largest_ = std::max(largest_, value);
        });
        begin_.push_back(equals_.size());
    }
}

std::uint64_t ResourceBound::surplus(BlockIndex block, std::uint32_t nodes,
                                     std::uint64_t price) const {
    std::uint64_t sum = 0;
    for (std::size_t i = begin_[block]; i < begin_[block + 1] && nodes > 0; ++i) {
        if (equals_[i].value <= price) break;
        const std::uint32_t taken = std::min(nodes, equals_[i].nodes);
        sum += taken * (equals_[i].value - price);
        nodes -= taken;
    }
    return sum;
}

bool ResourceBound::may_hold(const Problem& problem, bool or_fewer, std::uint64_t& steps) const {
    if (std::uint64_t{largest_} * problem.nodes < total_) return false;
    // As many nodes of a base block as its units take.
    const auto beyond = [&](BlockIndex block, std::uint64_t price) {
        ++steps;
        std::uint32_t nodes = tally_.free(0, block);
        if (problem.segmented && !problem.large_segments())
            nodes = problem.spread ? std::min(nodes / problem.unit_nodes, 1U) * problem.unit_nodes
                                   : nodes - nodes % problem.unit_nodes;
        return surplus(block, nodes, price);
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
    for (std::uint32_t scope = 0; scope < tally_.vertices(problem.scope_level); ++scope)
        if (serves(scope) && (capped.most == 0 || holds(scope, capped, price_capped_)) &&
            (one_limit || holds(scope, lower, price_)))
            return true;
    return false;
}

}  // namespace nvl72block
