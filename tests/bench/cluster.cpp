// SPDX-License-Identifier: GPL-2.0-or-later
#include "cluster.hpp"

#include <algorithm>
#include <stdexcept>

#include "racks.hpp"

namespace nvl72block::bench {

std::uint32_t between(Random& random, std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(random.below(high - low + 1));
}

bool one_in(Random& random, std::uint32_t n) {
    return random.below(n) == 0;
}

std::vector<std::vector<std::uint32_t>> surveyed_sizes(std::uint32_t racks) {
    const auto every = [&](std::uint32_t planning) {
        std::vector<std::uint32_t> sizes;
        for (std::uint32_t width = 1; width <= racks; width *= 2) sizes.push_back(planning * width);
        return sizes;
    };
    return {{18}, every(16), every(18), {18, 144, 1152}, {16, 64, 256, 1024}};
}

Topology make_racks(std::uint32_t racks, const std::vector<std::uint32_t>& sizes) {
    TopologyConfig config;
    config.file = "survey";
    config.block_sizes = sizes;
    for (std::uint32_t rack = 0; rack < racks; ++rack)
        config.blocks.push_back({.name = "r" + std::to_string(rack),
                                 .nodes = std::to_string(rack),
                                 .file = "survey",
                                 .line = rack + 1});
    const auto nodes_of = [](std::string_view rack, std::vector<NodeIndex>& nodes, std::string&) {
        const auto first = static_cast<NodeIndex>(std::stoul(std::string(rack))) * rack_nodes;
        for (NodeIndex node = first; node < first + rack_nodes; ++node) nodes.push_back(node);
        return true;
    };
    Diagnostics diagnostics;
    auto topology = Topology::build(config, std::size_t{racks} * rack_nodes, nodes_of, diagnostics);
    if (!topology) throw std::runtime_error(to_string(diagnostics.front()));
    return *std::move(topology);
}

NodeSet uniform_occupancy(Random& random, std::size_t nodes, std::uint32_t percent) {
    NodeSet usable(nodes);
    for (NodeIndex node = 0; node < nodes; ++node)
        if (random.below(100) >= percent) usable.set(node);
    return usable;
}

std::uint32_t job_nodes(Random& random) {
    static constexpr std::uint32_t usual[] = {8, 16, 18, 32, 36, 64};
    switch (random.below(20)) {
        case 0:
        case 1:
        case 2:
            return between(random, 65, 600);
        case 3:
        case 4:
        case 5:
        case 6:
        case 7:
        case 8:
            return usual[random.below(std::size(usual))];
        case 9:
        case 10:
        case 11:
        case 12:
        case 13:
            return between(random, 1, 4);
        default:
            return between(random, 1, 64);
    }
}

NodeSet used_occupancy(Random& random, const Topology& topology, std::uint32_t percent) {
    const std::size_t nodes = topology.node_count();
    NodeSet usable(nodes);
    for (NodeIndex node = 0; node < nodes; ++node) usable.set(node);
    std::vector<NodeSet> jobs;
    std::size_t busy = 0;
    const auto end_one = [&] {
        std::swap(jobs[random.below(jobs.size())], jobs.back());
        jobs.back().for_each([&](NodeIndex node) { usable.set(node); });
        busy -= jobs.back().count();
        jobs.pop_back();
    };
    const Budget first_answer{0};
    for (std::size_t started = 0;
         started < std::min(2 * nodes, nodes + 20'000) || busy * 100 < percent * nodes;) {
        Request request;
        request.min_nodes = request.max_nodes = job_nodes(random);
        State state;
        state.usable = usable;
        const Answer answer = place(topology, request, state, first_answer);
        if (const auto* placement = std::get_if<Placement>(&answer)) {
            placement->nodes.for_each([&](NodeIndex node) { usable.reset(node); });
            jobs.push_back(placement->nodes);
            busy += request.min_nodes;
        }
        started += request.min_nodes;
        // Near the goal jobs end one by one, so that it is met from above.
        while (busy * 100 > (percent + 3) * nodes) end_one();
        if (answer.index() == 1 && busy * 100 < percent * nodes && one_in(random, 8)) end_one();
        if (started > 12 * nodes) break;
    }
    return usable;
}

std::vector<std::uint64_t> random_weights(Random& random, const Topology& topology,
                                          std::uint32_t classes) {
    std::vector<std::uint64_t> weight;
    if (classes < 2) return weight;
    std::uint64_t of_rack = 1;
    for (NodeIndex node = 0; node < topology.node_count(); ++node) {
        if (node % rack_nodes == 0) of_rack = 1 + random.below(classes);
        weight.push_back(one_in(random, 10) ? 1 + random.below(classes) : of_rack);
    }
    return weight;
}

std::vector<std::uint32_t> random_cpus(Random& random, const Topology& topology) {
    std::vector<std::uint32_t> cpus(topology.node_count());
    for (std::uint32_t& of_node : cpus) of_node = one_in(random, 2) ? 72 : 144;
    return cpus;
}

}  // namespace nvl72block::bench
