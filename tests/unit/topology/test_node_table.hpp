// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cluster for tests: a node table by name, and topologies built from a topology.conf text.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nvl72block/hostlist.hpp"
#include "nvl72block/topology.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block {

class TestNodeTable {
  public:
    explicit TestNodeTable(std::string_view node_list) {
        std::string error;
        names_ = expand_hostlist(node_list, error).value();
        for (NodeIndex node = 0; node < names_.size(); ++node) index_.emplace(names_[node], node);
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] NodeIndex index(const std::string& name) const { return index_.at(name); }

    [[nodiscard]] bool resolve(std::string_view text, std::vector<NodeIndex>& nodes,
                               std::string& error) const {
        const auto list = expand_hostlist(text, error);
        if (!list) return false;
        for (const std::string& name : *list) {
            const auto found = index_.find(name);
            if (found == index_.end()) {
                error = fmt::format("unknown node {}", name);
                return false;
            }
            nodes.push_back(found->second);
        }
        return true;
    }

    [[nodiscard]] std::optional<Topology> build(const TopologyConfig& config,
                                                Diagnostics& diagnostics) const {
        return Topology::build(
            config, names_.size(),
            [this](std::string_view text, std::vector<NodeIndex>& nodes, std::string& error) {
                return resolve(text, nodes, error);
            },
            diagnostics);
    }

    /// The topology of a topology.conf text, or nothing with the findings in `messages()`.
    std::optional<Topology> read(std::string_view text) {
        diagnostics_.clear();
        const auto config = parse_topology_config(text, "topology.conf", diagnostics_);
        return config ? build(*config, diagnostics_) : std::nullopt;
    }

    [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }
    [[nodiscard]] std::vector<std::string> messages() const {
        std::vector<std::string> out;
        for (const Diagnostic& diagnostic : diagnostics_) out.push_back(to_string(diagnostic));
        return out;
    }

  private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, NodeIndex> index_;
    Diagnostics diagnostics_;
};

}  // namespace nvl72block
