// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cluster as the offline commands see it: the node table and the cluster over it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/input/node_table.hpp"
#include "nvl72block/cluster.hpp"

namespace nvl72block::cli {

/// A node list from the command line or a file, and where it was written.
struct NamedList {
    std::string location;  ///< "--busy" or "file:line"
    std::string text;
};

struct LoadedCluster {
    NodeTable nodes;
    Cluster cluster;

    [[nodiscard]] const Topology& topology() const { return cluster.topology(); }
};

/// Most nodes that a cluster may have.
inline constexpr std::size_t max_cluster_nodes = 1U << 20;

/// Names on the topology's Nodes= lines. A malformed list adds none: Cluster::build() reports it
/// with its line. InputError if they are too many to be meant.
[[nodiscard]] std::vector<std::string> names_in_blocks(const TopologyConfig& config);

/// What is read of a topology.conf, or of the default topology of a topology.yaml.
struct ClusterSource {
    std::string topology_file;
    std::vector<NamedList> lists;   ///< nodes that options name
    std::vector<std::string> more;  ///< nodes that another tool knows
    Options options;                ///< those that Cluster heeds
};

/// The nodes of `source.more` join the node table without a note: they are known to exist.
[[nodiscard]] LoadedCluster load_cluster(const ClusterSource& source, std::ostream& notes);

/// Reads `topology_file`. Nodes that only `lists` name join the node table as nodes in no block; a
/// note about them goes to `notes`, because a mistyped name looks just the same. Warnings go there,
/// too; errors are thrown as InputError.
[[nodiscard]] LoadedCluster load_cluster(const std::string& topology_file,
                                         const std::vector<NamedList>& lists, std::ostream& notes);

}  // namespace nvl72block::cli
