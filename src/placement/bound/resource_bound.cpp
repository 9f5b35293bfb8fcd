// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/bound/resource_bound.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "placement/bound/lowest_price.hpp"
#include "placement/bound/offer.hpp"

namespace nvl72block {

ResourceBound::ResourceBound(const Tally& tally, const State& state,
                             std::span<const std::uint32_t> per_node)
    : tally_(tally) {
    const Topology& topology = tally.topology();
    std::vector<Equal> equals;  // of the block, by falling value
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        equals.clear();
        topology.for_each(block, state.usable, [&](NodeIndex node) {
            const std::uint32_t value = per_node[node];
            const auto at = std::lower_bound(
                equals.begin(), equals.end(), value,
                [](const Equal& equal, std::uint32_t other) { return equal.value > other; });
            if (at != equals.end() && at->value == value)
                ++at->nodes;
            else
                equals.insert(at, {value, 1});
        });
        if (!equals.empty()) largest_ = std::max(largest_, equals.front().value);
        equals_.insert(equals_.end(), equals.begin(), equals.end());
        begin_.push_back(equals_.size());
    }
}

/// What the nodes of a base block are worth beyond `price` each, as many as its units take.
std::uint64_t ResourceBound::surplus(const Problem& problem, BlockIndex block,
                                     std::uint64_t price) const {
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
}

bool ResourceBound::scope_may_hold(const Problem& problem, std::uint32_t scope,
                                   const Groups& groups, std::uint64_t total,
                                   std::uint64_t& steps) const {
    const Below range = below(tally_, problem.scope_level, scope, groups.level);
    std::vector<std::uint64_t> values;
    // Whatever a node costs: so many times its price, and what the nodes are worth beyond it.
    const auto bound = [&](std::uint64_t price) {
        values.clear();
        for (std::uint32_t vertex = range.first; vertex < range.last; ++vertex) {
            const BlockIndex last = tally_.last_block(groups.level, vertex);
            std::uint64_t value = 0;
            for (BlockIndex block = tally_.first_block(groups.level, vertex); block < last; ++block)
                value += surplus(problem, block, price);
            values.push_back(value);
        }
        steps += tally_.last_block(problem.scope_level, scope) -
                 tally_.first_block(problem.scope_level, scope);
        const auto end = values.begin() + static_cast<std::ptrdiff_t>(
                                              std::min<std::uint64_t>(groups.most, values.size()));
        if (end != values.end())
            std::nth_element(values.begin(), end, values.end(), std::greater<>());
        return std::accumulate(values.begin(), end, price * problem.nodes);
    };
    return bound(largest_) >= total && lowest_price(largest_, bound) >= total;
}

bool ResourceBound::may_hold(const Problem& problem, std::uint64_t total,
                             std::uint64_t& steps) const {
    Groups lower{problem.limited_level, problem.limit};
    if (problem.limit == 0) lower = {0, tally_.vertices(0)};
    const Groups capped{0, problem.max_base_blocks};
    for (std::uint32_t scope = 0; scope < tally_.vertices(problem.scope_level); ++scope) {
        if (tally_.required(problem.scope_level, scope) != tally_.required_in_blocks()) continue;
        if (tally_.free(problem.scope_level, scope) < problem.nodes) continue;
        if (scope_may_hold(problem, scope, lower, total, steps) &&
            (problem.max_base_blocks == 0 || scope_may_hold(problem, scope, capped, total, steps)))
            return true;
    }
    return false;
}

std::uint32_t ResourceBound::fewest(std::uint64_t total) const {
    std::map<std::uint32_t, std::uint64_t, std::greater<>> nodes_of;
    for (const Equal& equal : equals_) nodes_of[equal.value] += equal.nodes;
    std::uint64_t count = 0;
    for (const auto& [value, nodes] : nodes_of) {
        const std::uint64_t needed = value == 0 ? nodes + 1 : (total + value - 1) / value;
        if (needed <= nodes) return static_cast<std::uint32_t>(count + needed);
        count += nodes;
        total -= value * nodes;
    }
    return static_cast<std::uint32_t>(count + 1);
}

}  // namespace nvl72block
