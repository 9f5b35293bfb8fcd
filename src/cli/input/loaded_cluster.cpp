// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/loaded_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <unordered_set>

#include "cli/input/input_error.hpp"
#include "cli/input/topology_file.hpp"
#include "nvl72block/hostlist.hpp"

namespace nvl72block::cli {
namespace {

void throw_errors(const Diagnostics& diagnostics, std::ostream& notes) {
    std::string errors;
    for (const Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity != Severity::error) {
            notes << (diagnostic.severity == Severity::warning ? "warning: " : "note: ")
                  << to_string(diagnostic) << '\n';
            continue;
        }
        if (!errors.empty()) errors += '\n';
        errors += to_string(diagnostic);
    }
    if (!errors.empty()) throw InputError(errors);
}

/// The cluster's own topology of a file.
FileTopology read_default(const std::string& file, const Options& options, std::ostream& notes) {
    if (file.empty()) throw InputError("--topology", "is empty", "pass a topology.conf");
    Diagnostics diagnostics;
    std::vector<FileTopology> topologies = read_topology_file(file, options, diagnostics);
    throw_errors(diagnostics, notes);
    if (topologies.empty()) throw InputError(file, "cannot be read", "pass a topology.conf");
    if (topologies.front().kind != "block")
        throw InputError(file,
                         fmt::format("topology {} is {}, without blocks", topologies.front().name,
                                     topologies.front().kind),
                         "pass a file whose default topology has blocks");
    return std::move(topologies.front());
}

void check_total(const std::string& location, std::size_t total) {
    if (total > max_cluster_nodes)
        throw InputError(location, fmt::format("more than {} nodes in total", max_cluster_nodes),
                         "look for a mistyped range");
}

}  // namespace

std::vector<std::string> names_in_blocks(const TopologyConfig& config) {
    std::vector<std::string> names;
    for (const BlockLine& block : config.blocks) {
        if (block.nodes.empty() || block.nodes.find('{') != std::string::npos) continue;
        std::string error;
        std::optional<std::vector<std::string>> expanded = expand_hostlist(block.nodes, error);
        if (!expanded) continue;
        check_total(fmt::format("{}:{}", block.file, block.line), names.size() + expanded->size());
        names.insert(names.end(), std::make_move_iterator(expanded->begin()),
                     std::make_move_iterator(expanded->end()));
    }
    return names;
}

namespace {

/// Adds the names of one list to `names` and says which of them are in no block.
void add_list(const NamedList& list, std::unordered_set<std::string>& known,
              std::vector<std::string>& names, const std::string& topology_file,
              std::ostream& notes) {
    std::vector<std::string> outside;
    for (std::string& name : expand_list(list.location, list.text))
        if (known.insert(name).second) outside.push_back(std::move(name));
    if (outside.empty()) return;
    check_total(list.location, names.size() + outside.size());
    notes << fmt::format("note: {}: {} {} in no block of {}\n", list.location,
                         compress_hostlist(outside), outside.size() == 1 ? "is" : "are",
                         topology_file);
    names.insert(names.end(), std::make_move_iterator(outside.begin()),
                 std::make_move_iterator(outside.end()));
}

/// Resolves Nodes= against the table, as slurmctld does against its own.
NodeResolver resolver(const NodeTable& table) {
    return [&table](std::string_view text, std::vector<NodeIndex>& nodes, std::string& error) {
        if (text.find('{') != std::string_view::npos) {
            error = fmt::format("\"{}\" can be resolved only by slurmctld, not offline", text);
            return false;
        }
        const std::optional<std::vector<std::string>> names = expand_hostlist(text, error);
        if (!names) return false;
        for (const std::string& name : *names) {
            const std::optional<NodeIndex> node = table.find(name);
            if (!node) {
                error = fmt::format("node \"{}\" is unknown", name);
                return false;
            }
            nodes.push_back(*node);
        }
        return true;
    };
}

}  // namespace

LoadedCluster load_cluster(const ClusterSource& source, std::ostream& notes) {
    const std::string& topology_file = source.topology_file;
    const FileTopology topology = read_default(topology_file, source.options, notes);
    std::vector<std::string> names = names_in_blocks(topology.config);
    std::unordered_set<std::string> known(names.begin(), names.end());
    for (const std::string& name : source.more)
        if (known.insert(name).second) names.push_back(name);
    check_total(topology_file, names.size());
    for (const NamedList& list : source.lists) add_list(list, known, names, topology_file, notes);

    NodeTable table(std::move(names));
    Diagnostics diagnostics;
    std::optional<Cluster> cluster =
        topology.build(source.options, table.size(), resolver(table), diagnostics);
    throw_errors(diagnostics, notes);
    if (!cluster) throw InputError(topology_file, "contains no usable topology", "");
    return {std::move(table), *std::move(cluster)};
}

LoadedCluster load_cluster(const std::string& topology_file, const std::vector<NamedList>& lists,
                           std::ostream& notes) {
    return load_cluster({topology_file, lists, {}, {}}, notes);
}

}  // namespace nvl72block::cli
