// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/node_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input/input_error.hpp"
#include "cli/input/natural_order.hpp"
#include "nvl72block/hostlist.hpp"

namespace nvl72block::cli {
namespace {

std::string sorted_hostlist(std::vector<std::string> names) {
    if (!std::ranges::is_sorted(names, natural_less)) std::ranges::sort(names, natural_less);
    return compress_hostlist(names);
}

}  // namespace

NodeTable::NodeTable(std::vector<std::string> names) : names_(std::move(names)) {
    std::sort(names_.begin(), names_.end(), natural_less);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    index_names();
}

NodeTable NodeTable::in_order(std::vector<std::string> names) {
    NodeTable table;
    table.names_ = std::move(names);
    table.index_names();
    return table;
}

void NodeTable::index_names() {
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
    return sorted_hostlist(std::move(names));
}

std::string NodeTable::hostlist(const std::vector<NodeIndex>& nodes) const {
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const NodeIndex node : nodes) names.push_back(names_[node]);
    return sorted_hostlist(std::move(names));
}

NodeSet NodeTable::parse(const std::string& location, const std::string& list) const {
    NodeSet nodes(size());
    for (const std::string& name : expand_list(location, list)) {
        const std::optional<NodeIndex> node = find(name);
        if (!node)
            throw InputError(location, fmt::format("node \"{}\" is unknown", name),
                             "pass a node of topology.conf");
        nodes.set(*node);
    }
    return nodes;
}

std::vector<std::string> expand_list(const std::string& location, const std::string& list) {
    if (list.empty()) return {};
    std::string error;
    std::optional<std::vector<std::string>> names = expand_hostlist(list, error);
    if (!names) throw InputError(location, error, "write a node list such as node[001-018,020]");
    return std::move(*names);
}

}  // namespace nvl72block::cli
