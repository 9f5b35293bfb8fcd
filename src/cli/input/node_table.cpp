// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/node_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input/input_error.hpp"
#include "cli/input/natural_order.hpp"
#include "nvl72block/hostlist.hpp"

namespace nvl72block::cli {

NodeTable::NodeTable(std::vector<std::string> names) : names_(std::move(names)) {
    std::sort(names_.begin(), names_.end(), natural_less);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    index_.reserve(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i)
        index_.emplace(names_[i], static_cast<NodeIndex>(i));
}

std::optional<NodeIndex> NodeTable::find(const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) return std::nullopt;
    return found->second;
}

std::string NodeTable::hostlist(NodeSetView nodes) const {
    std::vector<std::string> names;
    nodes.for_each([&](NodeIndex node) { names.push_back(names_[node]); });
    return compress_hostlist(names);
}

std::string NodeTable::hostlist(const std::vector<NodeIndex>& nodes) const {
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const NodeIndex node : nodes) names.push_back(names_[node]);
    return compress_hostlist(names);
}

NodeSet NodeTable::parse(const std::string& place, const std::string& list) const {
    NodeSet nodes(size());
    for (const std::string& name : expand_list(place, list)) {
        const std::optional<NodeIndex> node = find(name);
        if (!node)
            throw InputError(place, fmt::format("node \"{}\" is unknown", name),
                             "name a node of topology.conf");
        nodes.set(*node);
    }
    return nodes;
}

std::vector<std::string> expand_list(const std::string& place, const std::string& list) {
    if (list.empty()) return {};
    std::string error;
    std::optional<std::vector<std::string>> names = expand_hostlist(list, error);
    if (!names) throw InputError(place, error, "write a node list such as node[001-018,020]");
    return std::move(*names);
}

}  // namespace nvl72block::cli
