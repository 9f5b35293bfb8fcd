// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/counts/resource_order.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

std::vector<std::uint64_t> values(const State& state, const Mix& mix) {
    std::vector<std::uint64_t> value(state.usable.size());
    state.usable.for_each([&](NodeIndex node) {
        if (!state.cpus.empty()) value[node] += mix.cpus * state.cpus[node];
        if (!state.gpus.empty()) value[node] += mix.gpus * state.gpus[node];
    });
    return value;
}

/// Whether the usable nodes have more values than a search tells apart.
bool too_many(const std::vector<std::uint64_t>& value, const State& state) {
    std::vector<std::uint64_t> distinct;  // ascending
    state.usable.for_each([&](NodeIndex node) {
        if (distinct.size() > max_weight_classes) return;
        const auto at = std::lower_bound(distinct.begin(), distinct.end(), value[node]);
        if (at == distinct.end() || *at != value[node]) distinct.insert(at, value[node]);
    });
    return distinct.size() > max_weight_classes;
}

/// At most as many values as a search tells apart, with as many nodes each as may be; every node
/// counts for the next of them that is not below its own.
std::vector<std::uint64_t> rounded_up(std::vector<std::uint64_t> value, const State& state) {
    if (!too_many(value, state)) return value;
    std::vector<std::uint64_t> sorted;
    state.usable.for_each([&](NodeIndex node) { sorted.push_back(value[node]); });
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint64_t> steps;
    for (std::size_t i = 1; i <= max_weight_classes; ++i)
        steps.push_back(sorted[i * sorted.size() / max_weight_classes - 1]);
    state.usable.for_each([&](NodeIndex node) {
        value[node] = *std::lower_bound(steps.begin(), steps.end(), value[node]);
    });
    return value;
}

std::vector<std::uint64_t> lacking(const std::vector<std::uint64_t>& value) {
    const std::uint64_t most = value.empty() ? 0 : *std::max_element(value.begin(), value.end());
    std::vector<std::uint64_t> weight;
    weight.reserve(value.size());
    for (const std::uint64_t one : value) weight.push_back(most - one);
    return weight;
}

}  // namespace

std::vector<std::uint64_t> weights_of_lacking(const State& state, const Mix& mix) {
    return lacking(values(state, mix));
}

State ResourceOrder::state_by_weight(const State& state) const {
    State by_weight = state;
    by_weight.weight = weight_;
    return by_weight;
}

ResourceOrder::ResourceOrder(const Decision& decision, const Mix& mix)
    : exact_(weights_of_lacking(decision.state(), mix)),
      value_(rounded_up(values(decision.state(), mix), decision.state())),
      weight_(lacking(value_)),
      state_(state_by_weight(decision.state())),
      decision_(decision.tally().topology(), decision.request(), state_, decision.effort(), true) {
    decision.effort().steps += value_.size();
}

ResourceOrder::Most ResourceOrder::most(const Problem& problem) const {
    const Found found = decision_.solve(problem);
    Most most;
    most.complete = found.complete;
    if (!found.division) return most;
    State exactly = state_;  // equal by weight, not by what they have
    exactly.weight = exact_;
    most.placement = decision_.name_nodes(*found.division, exactly);
    most.bounded = found.proven;
    most.placement->nodes.for_each([&](NodeIndex node) { most.bound += value_[node]; });
    return most;
}

}  // namespace nvl72block
