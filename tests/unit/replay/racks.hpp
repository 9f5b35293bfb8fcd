// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small clusters and free-node patterns for the tests of the replay.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "nvl72block/placement.hpp"
#include "replay/simulation/scenario.hpp"

namespace nvl72block::replay {

inline Topology racks(std::uint32_t count, std::uint32_t nodes,
                      std::vector<std::uint32_t> sizes = {}) {
    Diagnostics diagnostics;
    ClusterOptions options;
    options.racks = count;
    options.nodes_per_rack = nodes;
    options.block_sizes = std::move(sizes);
    return make_topology(options, diagnostics).value();
}

/// The first `idle` nodes of each rack are free.
inline NodeSet idle_nodes(const Topology& topology, const std::vector<std::uint32_t>& idle) {
    NodeSet free(topology.node_count());
    for (BlockIndex rack = 0; rack < idle.size(); ++rack)
        for (std::uint32_t i = 0; i < idle[rack]; ++i)
            free.set(topology.ranges(rack).front().begin + i);
    return free;
}

/// Nodes taken from each rack.
inline std::vector<std::uint32_t> taken(const Topology& topology, const Placement& placement) {
    std::vector<std::uint32_t> counts;
    for (BlockIndex rack = 0; rack < topology.block_count(); ++rack)
        counts.push_back(topology.count(rack, placement.nodes));
    return counts;
}

}  // namespace nvl72block::replay
