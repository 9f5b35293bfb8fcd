// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/bound/resource_bound.hpp"

#include <algorithm>
#include <functional>
#include <map>

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

bool ResourceBound::may_hold(const Problem& problem, std::uint64_t& steps) const {
    if (std::uint64_t{largest_} * problem.nodes < total_) return false;
    // What the nodes of a base block are worth beyond `price` each, as many as its units take.
    const auto surplus = [&](BlockIndex block, std::uint64_t price) {
        ++steps;
        std::uint32_t left = tally_.free(0, block);
        if (problem.segmented && !problem.large_segments())
            left = problem.spread ? std::min(left / problem.unit_nodes, 1U) * problem.unit_nodes
                                  : left - left % problem.unit_nodes;
        std::uint64_t sum = 0;
        for (std::size_t i = begin_[block]; i < begin_[block + 1] && left > 0; ++i) {
            if (equals_[i].value <= price) break;
            const std::uint32_t nodes = std::min(left, equals_[i].nodes);
            sum += nodes * (equals_[i].value - price);
            left -= nodes;
        }
        return sum;
    };
    // Whatever a node costs: so many times its price, and what the nodes are worth beyond it.
    const auto holds = [&](std::uint32_t scope, const LimitedLevel& limited) {
        return priced_bound(tally_, problem, scope, limited, problem.nodes, largest_, surplus) >=
               total_;
    };
    const LimitedLevel capped{0, problem.max_base_blocks};
    LimitedLevel lower{problem.limited_level, problem.limit};
    if (problem.limit == 0) lower = {0, tally_.vertices(0)};
    for (std::uint32_t scope = 0; scope < tally_.vertices(problem.scope_level); ++scope)
        if (may_lie_in(tally_, problem, scope) && holds(scope, lower) &&
            (problem.max_base_blocks == 0 || holds(scope, capped)))
            return true;
    return false;
}

std::uint32_t ResourceBound::fewest() const {
    std::map<std::uint32_t, std::uint64_t, std::greater<>> nodes_of;
    for (const Equal& equal : equals_) nodes_of[equal.value] += equal.nodes;
    std::uint64_t count = 0;
    std::uint64_t total = total_;  // that is missing
    for (const auto& [value, nodes] : nodes_of) {
        const std::uint64_t needed = value == 0 ? nodes + 1 : (total + value - 1) / value;
        if (needed <= nodes) return static_cast<std::uint32_t>(count + needed);
        count += nodes;
        total -= value * nodes;
    }
    return static_cast<std::uint32_t>(count + 1);
}

}  // namespace nvl72block
