// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <unordered_set>

#include "cli/input/input_error.hpp"
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

TopologyConfig read_config(const std::string& file, const Options& options, std::ostream& notes) {
    if (file.empty()) throw InputError("--topology", "names no file", "name a topology.conf");
    Diagnostics diagnostics;
    std::optional<TopologyConfig> config = read_cluster_config(file, options, diagnostics);
    throw_errors(diagnostics, notes);
    if (!config) throw InputError(file, "cannot be read", "name a topology.conf");
    return std::move(*config);
}

void check_total(const std::string& place, std::size_t total) {
    if (total > max_site_nodes)
        throw InputError(place, fmt::format("more than {} nodes in total", max_site_nodes),
                         "look for a mistyped range");
}

/// Names on Nodes= lines. A malformed list adds none: Topology::build reports it with its line.
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

/// Adds the names of one list to `names` and says which of them are in no block.
void add_list(const NamedList& list, std::unordered_set<std::string>& known,
              std::vector<std::string>& names, const std::string& topology_file,
              std::ostream& notes) {
    std::vector<std::string> outside;
    for (std::string& name : expand_list(list.place, list.text))
        if (known.insert(name).second) outside.push_back(std::move(name));
    if (outside.empty()) return;
    check_total(list.place, names.size() + outside.size());
    notes << fmt::format("note: {}: {} {} in no block of {}\n", list.place,
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

Site load_site(const SiteSource& source, std::ostream& notes) {
    const std::string& topology_file = source.topology_file;
    TopologyConfig config = read_config(topology_file, source.options, notes);
    std::vector<std::string> names = names_in_blocks(config);
    std::unordered_set<std::string> known(names.begin(), names.end());
    for (const std::string& name : source.more)
        if (known.insert(name).second) names.push_back(name);
    check_total(topology_file, names.size());
    for (const NamedList& list : source.lists) add_list(list, known, names, topology_file, notes);

    NodeTable table(std::move(names));
    Diagnostics diagnostics;
    std::optional<Cluster> cluster = Cluster::build(std::move(config), source.options, table.size(),
                                                    resolver(table), diagnostics);
    throw_errors(diagnostics, notes);
    if (!cluster) throw InputError(topology_file, "contains no usable topology", "");
    return {std::move(table), *std::move(cluster)};
}

Site load_site(const std::string& topology_file, const std::vector<NamedList>& lists,
               std::ostream& notes) {
    return load_site({topology_file, lists, {}, {}}, notes);
}

}  // namespace nvl72block::cli
