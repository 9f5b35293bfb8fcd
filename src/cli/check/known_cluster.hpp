// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `check` knows of a cluster besides its topology file: the nodes, and what they have.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/input/node_table.hpp"
#include "cli/inventory/inventory.hpp"
#include "nvl72block/cluster.hpp"

namespace nvl72block::cli {

/// The nodes that slurm.conf defines, as slurmctld resolves names with them.
struct KnownCluster {
    bool complete = false;  ///< a name that is not here is a mistake
    bool grows = false;     ///< MaxNodeCount= leaves room for nodes to be created
    std::vector<std::string> names;
    std::unordered_map<std::string, std::string> features;  ///< by node, separated by commas
    std::unordered_map<std::string, std::string> sets;      ///< what node sets name
    Inventory inventory;                                    ///< the nodes' cliques
    Options options;
};

/// Resolves Nodes= as the plugin's own resolver does in slurmctld: host lists, sets, ALL,
/// feature{}; an unknown name is an error, or a warning where nodes can still be created. Where the
/// features are not known, feature{} is a warning, and so is a feature that names no node beside
/// others that do. `known` and `table` have to outlive the result.
[[nodiscard]] NodeResolver resolver_of(const KnownCluster& known, const NodeTable& table);

}  // namespace nvl72block::cli
