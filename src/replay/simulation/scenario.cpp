// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/simulation/scenario.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numeric>

#include "replay/workload/random.hpp"

namespace nvl72block::replay {
namespace {

std::vector<std::uint32_t> doublings(const ClusterOptions& options) {
    std::vector<std::uint32_t> sizes;
    for (std::uint64_t racks = 1; racks <= options.racks; racks *= 2)
        sizes.push_back(static_cast<std::uint32_t>(racks * options.nodes_per_rack));
    return sizes;
}

}  // namespace

std::optional<Topology> make_topology(const ClusterOptions& options, Diagnostics& diagnostics) {
    TopologyConfig config;
    config.file = "--block-sizes";
    config.block_sizes = options.block_sizes.empty() ? doublings(options) : options.block_sizes;
    for (std::uint32_t rack = 0; rack < options.racks; ++rack)
        config.blocks.push_back(
            {fmt::format("rack{}", rack), fmt::format("{}", rack), config.file, 0});
    const std::uint32_t size = options.nodes_per_rack;
    // The Nodes= text of a rack is its number: no need for names that nobody reads.
    const auto nodes_of = [size](std::string_view text, std::vector<NodeIndex>& nodes,
                                 std::string&) {
        std::uint32_t rack = 0;
        std::from_chars(text.data(), text.data() + text.size(), rack);
        nodes.resize(size);
        std::iota(nodes.begin(), nodes.end(), rack * size);
        return true;
    };
    return Topology::build(config, std::size_t{options.racks} * size, nodes_of, diagnostics);
}

NodeSet in_service(const ClusterOptions& options) {
    const std::size_t count = std::size_t{options.racks} * options.nodes_per_rack;
    std::vector<NodeIndex> nodes(count);
    std::iota(nodes.begin(), nodes.end(), NodeIndex{0});
    Random random(options.seed);
    random.shuffle(nodes);
    const auto lost =
        static_cast<std::size_t>(std::llround(static_cast<double>(count) * options.unavailable));
    NodeSet set(count);
    for (std::size_t i = lost; i < count; ++i) set.set(nodes[i]);
    return set;
}

}  // namespace nvl72block::replay
