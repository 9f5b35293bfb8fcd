// SPDX-License-Identifier: GPL-2.0-or-later
//
// The containment hierarchy of a topology as a Boost graph: for drawings and for what walks the
// structure. A decision reads the flat arrays of Topology instead.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>

#include "nvl72block/topology.hpp"

namespace nvl72block {

/// What a vertex of the graph stands for.
enum class ElementKind { cluster, aggregated_block, base_block, node };

/// A vertex: the cluster, a block of some level or a node.
struct Element {
    ElementKind kind = ElementKind::cluster;
    std::uint32_t level = 0;  ///< position in Topology::levels(); blocks only
    /// Aggregated block of the level, BlockIndex or NodeIndex, as `kind` says; 0 for the cluster.
    std::uint32_t index = 0;
    std::uint32_t planned_nodes = 0;  ///< the block's size as BlockSizes has it; 0 if no block
    std::uint32_t nodes = 0;          ///< nodes that it really holds; 1 for a node
};

/// An edge leads from the element that holds to the element that is held. No properties of its own.
struct Holds {};

/// A tree: vertex 0 is the cluster, each other vertex has exactly one parent. Parents come before
/// their children, and children stand in file order.
using ContainmentGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Element, Holds>;

/// Whether the graph ends with the base blocks or with their nodes.
enum class GraphDepth { base_blocks, nodes };

/// The cluster; below it the aggregated blocks of the enforced levels, largest first; the base
/// blocks; with GraphDepth::nodes their nodes, and the nodes of no block right below the cluster.
/// Aggregated blocks that Topology::is_listed leaves out are left out here. A level is skipped
/// where it is left out: the block below hangs from the next larger one.
[[nodiscard]] ContainmentGraph containment_graph(const Topology& topology, GraphDepth depth);

/// Writes the graph for Graphviz' dot. Labels give a block's name, its size and its nodes as a host
/// list. `node_names` are indexed by node; `graph` was made from `topology`,
/// and there are as many names as it has nodes.
void write_graphviz(std::ostream& out, const ContainmentGraph& graph, const Topology& topology,
                    std::span<const std::string> node_names);

}  // namespace nvl72block
