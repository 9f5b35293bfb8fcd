// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small clusters for tests, written as "4 4 3|2": free nodes per base block.
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <string>
#include <vector>

#include "nvl72block/hostlist.hpp"
#include "nvl72block/placement.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block::testing {

/// Blocks b0, b1, … of `block_nodes` nodes each, nodes n0, n1, … in block order, then
/// `outside_nodes` nodes in no block.
struct SmallCluster {
    Topology topology;
    NodeSet usable;

    SmallCluster(std::uint32_t block_nodes, const std::string& sizes,
                 const std::vector<std::uint32_t>& free, std::uint32_t outside_nodes = 0)
        : topology(
              make(block_nodes, sizes, static_cast<std::uint32_t>(free.size()), outside_nodes)),
          usable(topology.node_count()) {
        for (std::uint32_t block = 0; block < free.size(); ++block)
            for (std::uint32_t node = 0; node < free[block]; ++node)
                usable.set(block * block_nodes + node);
        for (std::uint32_t node = 0; node < outside_nodes; ++node)
            usable.set(static_cast<NodeIndex>(free.size()) * block_nodes + node);
    }

    [[nodiscard]] State state() const {
        State state;
        state.usable = usable;
        return state;
    }

    static Topology make(std::uint32_t block_nodes, const std::string& sizes, std::uint32_t blocks,
                         std::uint32_t outside_nodes) {
        std::string text = "BlockSizes=" + sizes + "\n";
        for (std::uint32_t block = 0; block < blocks; ++block)
            text += "BlockName=b" + std::to_string(block) + " Nodes=n[" +
                    std::to_string(block * block_nodes) + "-" +
                    std::to_string((block + 1) * block_nodes - 1) + "]\n";
        Diagnostics diagnostics;
        const auto config = parse_topology_config(text, "topology.conf", diagnostics);
        const auto resolve = [](std::string_view list, std::vector<NodeIndex>& nodes,
                                std::string& error) {
            const auto names = expand_hostlist(list, error);
            if (!names) return false;
            for (const std::string& name : *names)
                nodes.push_back(static_cast<NodeIndex>(std::stoul(name.substr(1))));
            return true;
        };
        auto topology =
            Topology::build(*config, blocks * block_nodes + outside_nodes, resolve, diagnostics);
        for (const Diagnostic& diagnostic : diagnostics) ADD_FAILURE() << to_string(diagnostic);
        return *std::move(topology);
    }
};

/// "n[0-3,8]" of a node set of such a cluster.
inline std::string names(NodeSetView nodes) {
    std::vector<std::string> list;
    nodes.for_each([&](NodeIndex node) { list.push_back("n" + std::to_string(node)); });
    return compress_hostlist(list);
}

/// "n[0-1] n[4-5]": the segments of a placement, or the refusal's sentence.
inline std::string describe(const Topology& topology, const Answer& answer) {
    if (const auto* refusal = std::get_if<Refusal>(&answer)) return sentence(*refusal);
    const auto& placement = std::get<Placement>(answer);
    std::string text;
    for (std::size_t segment = 0; segment + 1 < placement.segment_begin.size(); ++segment) {
        NodeSet nodes(topology.node_count());
        for (auto i = placement.segment_begin[segment]; i < placement.segment_begin[segment + 1];
             ++i)
            nodes.set(placement.segment_nodes[i]);
        text += (text.empty() ? "" : " ") + names(nodes);
    }
    return text;
}

}  // namespace nvl72block::testing
