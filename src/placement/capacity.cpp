// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/capacity.hpp"

#include <algorithm>
#include <functional>

#include "placement/decision.hpp"

namespace nvl72block {
namespace {

/// Node counts tried a level when nodes differ, before the steps grow.
constexpr std::uint32_t close_tries = 16;

/// What a node contributes to the scarce resource; scaled so that a mix of both can be summed.
enum class Resource { cpus, gpus, mix };

std::uint64_t contribution(const Request& request, const State& state, Resource resource,
                           NodeIndex node) {
    constexpr std::uint64_t scale = 1U << 16;
    const std::uint64_t cpus =
        request.cpus == 0 || state.cpus.empty()
            ? 0
            : std::min<std::uint64_t>(scale, state.cpus[node] * scale / request.cpus);
    const std::uint64_t gpus =
        request.gpus == 0 || state.gpus.empty()
            ? 0
            : std::min<std::uint64_t>(scale, state.gpus[node] * scale / request.gpus);
    if (resource == Resource::cpus) return cpus;
    return resource == Resource::gpus ? gpus : cpus + gpus;
}

/// Weights under which the lightest nodes are those that contribute most.
std::vector<std::uint64_t> scarcity(const Request& request, const State& state, Resource resource) {
    std::vector<std::uint64_t> weight(state.usable.size());
    std::uint64_t most = 0;
    state.usable.for_each([&](NodeIndex node) {
        weight[node] = contribution(request, state, resource, node);
        most = std::max(most, weight[node]);
    });
    for (std::uint64_t& value : weight) value = most - value;
    return weight;
}

std::vector<Resource> scarce_resources(const Request& request, const State& state) {
    const bool cpus = request.cpus != 0 && !state.cpus.empty();
    const bool gpus = request.gpus != 0 && !state.gpus.empty();
    if (cpus && gpus) return {Resource::mix, Resource::gpus, Resource::cpus};
    if (cpus) return {Resource::cpus};
    return gpus ? std::vector{Resource::gpus} : std::vector<Resource>{};
}

using Solve = std::function<std::optional<Plan>(const Decision&)>;

/// Tries the preferred order, then the orders by scarce resource, until the totals are held.
std::optional<Placement> first_that_holds(const Topology& topology, const Request& request,
                                          const State& state, Effort& effort, const Solve& solve,
                                          bool& fits) {
    const Decision preferred(topology, request, state, effort);
    std::optional<Plan> plan = solve(preferred);
    fits = plan.has_value();
    if (!plan) return std::nullopt;
    Placement placement = preferred.name_nodes(*plan);
    if (holds_capacity(request, state, placement)) return placement;
    const std::vector<Resource> resources = scarce_resources(request, state);
    effort.proven =
        false;  // what follows looks for what holds the totals, not for what is preferred
    if (resources.size() > 1) effort.complete = false;
    for (const Resource resource : resources) {
        const std::vector<std::uint64_t> weight = scarcity(request, state, resource);
        State by_resource = state;
        by_resource.weight = weight;
        const Decision decision(topology, request, by_resource, effort, true);
        plan = solve(decision);
        if (!plan) continue;
        placement = decision.name_nodes(*plan);
        if (holds_capacity(request, state, placement)) return placement;
    }
    return std::nullopt;
}

/// The fewest nodes that could hold the totals wherever they lie.
std::uint32_t fewest_nodes(const Request& request, const State& state) {
    const auto needed = [&](std::uint64_t total, std::span<const std::uint32_t> offers) {
        if (total == 0 || offers.empty()) return std::uint32_t{1};
        std::vector<std::uint32_t> sorted;
        state.usable.for_each([&](NodeIndex node) { sorted.push_back(offers[node]); });
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        std::uint64_t sum = 0;
        std::uint32_t count = 0;
        while (count < sorted.size() && sum < total) sum += sorted[count++];
        return sum >= total ? std::max(count, 1U) : static_cast<std::uint32_t>(sorted.size() + 1);
    };
    return std::max({request.min_nodes, needed(request.cpus, state.cpus),
                     needed(request.gpus, state.gpus),
                     static_cast<std::uint32_t>(request.required.count())});
}

/// The smallest count from `count` up that segments allow.
std::uint32_t round_up(const Request& request, std::uint32_t count) {
    const std::uint32_t segment = request.segment_size;
    if (segment == 0 || count <= segment) return count;
    return (count + segment - 1) / segment * segment;
}

}  // namespace

bool holds_capacity(const Request& request, const State& state, const Placement& placement) {
    std::uint64_t cpus = 0;
    std::uint64_t gpus = 0;
    placement.nodes.for_each([&](NodeIndex node) {
        if (!state.cpus.empty()) cpus += state.cpus[node];
        if (!state.gpus.empty()) gpus += state.gpus[node];
    });
    return (state.cpus.empty() || cpus >= request.cpus) &&
           (state.gpus.empty() || gpus >= request.gpus);
}

std::optional<Placement> place_with_capacity(const Topology& topology, const Request& request,
                                             const State& state, Effort& effort) {
    bool fits = false;
    return first_that_holds(
        topology, request, state, effort,
        [](const Decision& decision) { return decision.solve_range(); }, fits);
}

std::optional<Placement> place_by_capacity(const Topology& topology, const Request& request,
                                           const State& state, Effort& effort) {
    const std::uint32_t fewest = fewest_nodes(request, state);
    const std::size_t whole = topology.levels().size();
    for (std::size_t level = plain_rule(topology, fewest).level; level <= whole; ++level) {
        std::uint32_t step = 1;
        std::uint32_t tries = 0;
        for (std::uint32_t count = round_up(request, fewest); count <= request.max_nodes;
             count = round_up(request, count + step)) {
            if (plain_rule(topology, count).level > level) break;
            bool fits = false;
            auto placement = first_that_holds(
                topology, request, state, effort,
                [&](const Decision& decision) {
                    return decision.solve(decision.problem(count, level));
                },
                fits);
            if (placement) return placement;
            if (!fits) break;  // not even the nodes are there, whatever they hold
            if (++tries <= close_tries) continue;
            step *= 2;
            effort.proven = effort.complete = false;
        }
        if (request.segment_size != 0) break;  // segments need no wider level
    }
    return std::nullopt;
}

}  // namespace nvl72block
