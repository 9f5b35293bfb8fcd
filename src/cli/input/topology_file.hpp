// SPDX-License-Identifier: GPL-2.0-or-later
//
// The topologies of a topology.conf or a topology.yaml, as far as no node has to be looked up.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nvl72block/cluster.hpp"
#include "nvl72block/diagnostics.hpp"

namespace nvl72block::cli {

/// One topology. A topology.conf has one, without a name.
struct FileTopology {
    std::string name;
    std::string kind = "block";  ///< the others are not nvl72block's: "flat", "tree", ...
    bool is_default = false;     ///< the cluster's own, not only that of a partition
    bool from_yaml = false;
    TopologyConfig config;  ///< of kind "block"

    /// Resolves the nodes as the plugin does when it loads the topology; findings and nullopt as
    /// Cluster::build().
    [[nodiscard]] std::optional<Cluster> build(const Options& options, std::size_t node_count,
                                               const NodeResolver& resolve,
                                               Diagnostics& diagnostics) const;
};

/// Whether the name ends like a YAML file's.
[[nodiscard]] bool is_yaml(const std::filesystem::path& path);

/// Reads `path`, of the format that its name tells, the default topology first. What Slurm's reader
/// or the plugin refuses is an error with file, line and remedy; then the result is empty.
[[nodiscard]] std::vector<FileTopology> read_topology_file(const std::filesystem::path& path,
                                                           const Options& options,
                                                           Diagnostics& diagnostics);

/// The same of a topology.yaml's text. Source of the format: topology.yaml(5).
[[nodiscard]] std::vector<FileTopology> parse_topology_yaml(std::string_view text,
                                                            const std::string& file,
                                                            Diagnostics& diagnostics);

}  // namespace nvl72block::cli
