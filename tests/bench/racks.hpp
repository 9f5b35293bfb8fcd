// SPDX-License-Identifier: GPL-2.0-or-later
//
// Clusters of equal racks for the measurements: racks of 18 nodes, every level of BlockSizes.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nvl72block/hostlist.hpp"
#include "nvl72block/placement.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block::bench {

inline constexpr std::uint32_t rack_nodes = 18;

/// Racks that hold at least so many nodes.
constexpr std::uint32_t racks_for(std::uint32_t nodes) {
    return (nodes + rack_nodes - 1) / rack_nodes;
}

/// Which BlockSizes a cluster has: all that its racks can form, or the rack's alone.
enum class Levels { all, racks };

/// topology.conf of such a cluster, with names as in real clusters.
inline std::string topology_conf(std::uint32_t racks, Levels levels = Levels::all) {
    std::string text;
    for (std::uint32_t rack = 0; rack < racks; ++rack)
        text += "BlockName=rack" + std::to_string(rack) + " Nodes=node[" +
                std::to_string(rack * rack_nodes) + "-" +
                std::to_string(rack * rack_nodes + rack_nodes - 1) + "]\n";
    std::string sizes = std::to_string(rack_nodes);
    const unsigned most = levels == Levels::all ? max_block_exponent : 0;
    for (unsigned power = 1; power <= most && (1U << power) <= racks; ++power)
        sizes += "," + std::to_string(rack_nodes << power);
    return text + "BlockSizes=" + sizes + "\n";
}

inline bool resolve(std::string_view list, std::vector<NodeIndex>& nodes, std::string& error) {
    const auto names = expand_hostlist(list, error);
    if (!names) return false;
    for (const std::string& name : *names)
        nodes.push_back(static_cast<NodeIndex>(std::stoul(name.substr(4))));
    return true;
}

inline Topology make_topology(std::uint32_t racks, Levels levels = Levels::all) {
    Diagnostics diagnostics;
    const auto config =
        parse_topology_config(topology_conf(racks, levels), "topology.conf", diagnostics);
    auto topology = Topology::build(config.value(), racks * rack_nodes, resolve, diagnostics);
    if (!topology) throw std::runtime_error(to_string(diagnostics.front()));
    return *std::move(topology);
}

/// All nodes but the first `drained` of each rack.
inline NodeSet usable_nodes(std::uint32_t racks, std::uint32_t drained) {
    NodeSet usable(racks * rack_nodes);
    for (std::uint32_t rack = 0; rack < racks; ++rack)
        for (std::uint32_t node = drained; node < rack_nodes; ++node)
            usable.set(rack * rack_nodes + node);
    return usable;
}

/// A cluster with a state.
struct Racks {
    explicit Racks(std::uint32_t racks, std::uint32_t drained = 0, Levels levels = Levels::all)
        : topology(make_topology(racks, levels)), usable(usable_nodes(racks, drained)) {}

    /// With `demand`, by the policy of that name.
    [[nodiscard]] Answer place(std::uint32_t nodes, std::uint32_t segment = 0,
                               std::span<const DemandSize> demand = {}) const {
        Request request;
        request.min_nodes = request.max_nodes = nodes;
        request.segment_size = segment;
        State state;
        state.usable = usable;
        if (!demand.empty()) {
            request.policy = Policy::demand;
            request.demand = demand;
            state.idle = usable;
        }
        return nvl72block::place(topology, request, state);
    }

    Topology topology;
    NodeSet usable;
};

}  // namespace nvl72block::bench
