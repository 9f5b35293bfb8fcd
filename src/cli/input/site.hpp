// SPDX-License-Identifier: GPL-2.0-or-later
//
// A site as the offline commands see it: the node table and the cluster over it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/input/node_table.hpp"
#include "nvl72block/cluster.hpp"

namespace nvl72block::cli {

/// A node list from the command line or a file, and where it was written.
struct NamedList {
    std::string place;  ///< "--busy" or "file:line"
    std::string text;
};

struct Site {
    NodeTable nodes;
    Cluster cluster;

    [[nodiscard]] const Topology& topology() const { return cluster.topology(); }
};

/// Most nodes that a site may have.
inline constexpr std::size_t max_site_nodes = 1U << 20;

/// What is read of a topology.conf.
struct SiteSource {
    std::string topology_file;
    std::vector<NamedList> lists;   ///< nodes that options name
    std::vector<std::string> more;  ///< nodes that another tool knows
    Options options;                ///< those that Cluster heeds
};

/// The nodes of `source.more` join the node table without a note: they are known to exist.
[[nodiscard]] Site load_site(const SiteSource& source, std::ostream& notes);

/// Reads `topology_file`. Nodes that only `lists` name join the node table as nodes in no block; a
/// note about them goes to `notes`, because a mistyped name looks just the same. Warnings go there,
/// too; errors are thrown as InputError.
[[nodiscard]] Site load_site(const std::string& topology_file, const std::vector<NamedList>& lists,
                             std::ostream& notes);

}  // namespace nvl72block::cli
