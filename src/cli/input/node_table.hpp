// SPDX-License-Identifier: GPL-2.0-or-later
//
// The nodes that a command knows: every name of topology.conf and of the lists given with it.
// Offline there is no slurm.conf; natural name order stands in for the order of Slurm's node table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nvl72block/node_set.hpp"

namespace nvl72block::cli {

class NodeTable {
  public:
    NodeTable() = default;
    /// `names` in any order, duplicates allowed.
    explicit NodeTable(std::vector<std::string> names);
    /// With the indices that Slurm gives the nodes: `names` as scontrol shows them, each once.
    [[nodiscard]] static NodeTable in_order(std::vector<std::string> names);

    [[nodiscard]] std::size_t size() const { return names_.size(); }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] const std::string& name(NodeIndex node) const { return names_[node]; }
    [[nodiscard]] std::optional<NodeIndex> find(const std::string& name) const;

    /// The bracket form of a set of nodes; the empty string for none.
    [[nodiscard]] std::string hostlist(NodeSetView nodes) const;
    [[nodiscard]] std::string hostlist(const std::vector<NodeIndex>& nodes) const;

    /// The nodes that `list` names; InputError naming `location` if it is malformed or names a node
    /// that the table does not hold.
    [[nodiscard]] NodeSet parse(const std::string& location, const std::string& list) const;

  private:
    void index_names();

    std::vector<std::string> names_;
    std::unordered_map<std::string, NodeIndex> index_;
};

/// The names in `list`; InputError naming `location` if it is malformed. No names for "".
[[nodiscard]] std::vector<std::string> expand_list(const std::string& location,
                                                   const std::string& list);

}  // namespace nvl72block::cli
