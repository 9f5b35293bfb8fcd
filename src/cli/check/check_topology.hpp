// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loads a topology file as the plugin does, and keeps what it says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/check/known_cluster.hpp"
#include "cli/input/loaded_cluster.hpp"
#include "cli/input/topology_file.hpp"
#include "nvl72block/diagnostics.hpp"

namespace nvl72block::cli {

/// A topology that could be loaded.
struct CheckedTopology {
    std::string name;  ///< empty: of a topology.conf
    std::string kind;
    bool is_default = false;
    std::uint32_t blocks = 0;
    std::uint32_t planning_size = 0;
    std::uint32_t nodes = 0;  ///< that lie in a block
};

struct CheckedFile {
    std::string source;  ///< the file, or the command that showed the blocks
    Diagnostics diagnostics;
    std::vector<CheckedTopology> topologies;  ///< the default one first; empty if one is refused
    /// The default topology; nullopt if the file is refused, or that topology has no blocks.
    std::optional<LoadedCluster> loaded;

    [[nodiscard]] bool valid() const { return !has_error(diagnostics); }
};

/// The facts about a cluster that is loaded already.
[[nodiscard]] CheckedTopology facts_of(const Topology& topology);

/// Everything in the file is loaded, so that one call names all that the plugin would refuse.
[[nodiscard]] CheckedFile check_topology(const std::string& file, const KnownCluster& known);

}  // namespace nvl72block::cli
