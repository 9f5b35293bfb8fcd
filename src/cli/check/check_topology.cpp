// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/check_topology.hpp"

#include <utility>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

/// The cluster's nodes; where they are not all known, with those that the topologies name.
NodeTable table_of(const KnownCluster& known, const std::vector<FileTopology>& topologies) {
    std::vector<std::string> names = known.names;
    if (!known.complete)
        for (const FileTopology& topology : topologies) {
            std::vector<std::string> more = names_in_blocks(topology.config);
            names.insert(names.end(), std::make_move_iterator(more.begin()),
                         std::make_move_iterator(more.end()));
        }
    return NodeTable(std::move(names));
}

}  // namespace

CheckedTopology facts_of(const Topology& topology) {
    CheckedTopology facts;
    facts.kind = "block";
    facts.is_default = true;
    facts.planning_size = topology.planning_size();
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        if (!topology.is_hole(block)) ++facts.blocks;
    for (NodeIndex node = 0; node < topology.node_count(); ++node)
        if (topology.block_of(node) != no_block) ++facts.nodes;
    return facts;
}

CheckedFile check_topology(const std::string& file, const KnownCluster& known) {
    CheckedFile result{file, {}, {}, std::nullopt};
    std::vector<FileTopology> topologies =
        read_topology_file(file, known.options, result.diagnostics);
    const NodeTable table = table_of(known, topologies);
    for (const FileTopology& topology : topologies) {
        const bool first = &topology == topologies.data();
        CheckedTopology facts;
        if (topology.kind == "block") {
            std::optional<Cluster> cluster = topology.build(
                known.options, table.size(), resolver_of(known, table), result.diagnostics);
            if (!cluster) continue;
            facts = facts_of(cluster->topology());
            if (first) result.loaded = LoadedCluster{table, *std::move(cluster)};
        }
        facts.name = topology.name;
        facts.kind = topology.kind;
        facts.is_default = first;
        result.topologies.push_back(std::move(facts));
    }
    if (!result.valid()) {
        result.topologies.clear();
        result.loaded.reset();
    }
    return result;
}

}  // namespace nvl72block::cli
