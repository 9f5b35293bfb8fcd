// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/cluster_state.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <utility>

#include "cli/input/features.hpp"
#include "cli/input/input_error.hpp"
#include "cli/state/notes.hpp"
#include "cli/state/readers.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

std::vector<std::string> names_of(const std::vector<NodeRecord>& nodes) {
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const NodeRecord& node : nodes) names.push_back(node.name);
    return names;
}

/// The records in the order of the table; a node that only the topology names has none.
std::vector<NodeRecord> in_table_order(std::vector<NodeRecord> records, const NodeTable& table,
                                       Notes& notes) {
    std::vector<NodeRecord> nodes(table.size());
    for (NodeRecord& record : records)
        if (const auto node = table.find(record.name)) nodes[*node] = std::move(record);
    for (NodeIndex node = 0; node < table.size(); ++node) {
        if (!nodes[node].name.empty()) continue;
        nodes[node].name = table.name(node);
        notes.add(
            "nodes of the topology are not shown by scontrol show nodes; they count as out "
            "of service");
    }
    return nodes;
}

void throw_errors(const Diagnostics& diagnostics, Notes& notes) {
    for (const Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == Severity::error) throw InputError(to_string(diagnostic));
        if (diagnostic.severity == Severity::warning) notes.add(to_string(diagnostic));
    }
}

/// The cluster of the blocks that scontrol shows.
LoadedCluster shown_cluster(const Document& document, const ConfigRecord& slurm,
                            const std::vector<NodeRecord>& nodes, const Options& options,
                            NodeOrder order, Notes& notes) {
    TopologyConfig config = read_blocks(document);
    if (config.blocks.empty())
        throw InputError(
            "scontrol show topology",
            fmt::format("shows no blocks (TopologyPlugin is {})", slurm.topology_plugin),
            "pass a topology.conf with --topology FILE");
    NodeTable table = order == NodeOrder::as_in_slurm ? NodeTable::in_order(names_of(nodes))
                                                      : NodeTable(names_of(nodes));
    const NodeResolver resolve = [&](std::string_view list, std::vector<NodeIndex>& found,
                                     std::string&) {
        known_nodes(list, table, "the topology", notes).for_each([&](NodeIndex node) {
            found.push_back(node);
        });
        return true;
    };
    // What is shown has its positions and its cliques already.
    Options shown = options;
    shown.aggregation = Aggregation::position;
    if (shown.cliques == CliqueMode::derive) shown.cliques = CliqueMode::verify;
    Diagnostics diagnostics;
    std::optional<Cluster> cluster =
        Cluster::build(std::move(config), shown, table.size(), resolve, diagnostics);
    throw_errors(diagnostics, notes);
    if (!cluster)
        throw InputError("scontrol show topology", "contains no usable topology",
                         "pass a topology.conf with --topology FILE");
    return {std::move(table), *std::move(cluster)};
}

/// With Nvl72Clique=enforce (or derive, of a file) the nodes' features count.
void add_cliques(LoadedCluster& loaded, const std::vector<NodeRecord>& nodes,
                 const Options& options, std::ostream& stream) {
    if (!loaded.cluster.follows_cliques()) return;
    const Inventory inventory = cliques_of_nodes(nodes, options.clique_prefix);
    loaded.cluster = loaded.cluster.with_cliques(
        std::make_shared<const CliqueMap>(clique_map(loaded, inventory, stream)));
}

/// Slurm leaves out what a user may not see, without a word.
void note_private_data(const ConfigRecord& config, const std::string& user, Notes& notes) {
    if (user == "root" || config.private_data.empty() || config.private_data == "none") return;
    for (const char* kind : {"jobs", "nodes", "partitions", "reservations"})
        if (config.private_data.find(kind) != std::string::npos)
            notes.add(fmt::format("PrivateData={}: {} hidden from user {} are not counted", kind,
                                  kind, user));
}

void note_topologies(const ClusterState& state, Notes& notes) {
    for (const PartitionRecord& partition : state.partitions)
        if (!partition.topology.empty())
            notes.add(
                fmt::format("partition {} has Topology={}; the blocks here are those of the "
                            "default topology",
                            partition.name, partition.topology));
}

bool version_shows_segments(std::string_view version) {
    const std::size_t dot = version.find('.');
    const int year = number_of<int>(version.substr(0, dot)).value_or(0);
    return year >= 25;
}

template <typename Records>
auto* find_named(const Records& records, std::string_view name) {
    const auto found =
        std::ranges::find_if(records, [&](const auto& record) { return record.name == name; });
    return found == records.end() ? nullptr : &*found;
}

}  // namespace

void add_state_options(CLI::App& command, StateOptions& options) {
    command
        .add_option("--state", options.folder,
                    "A directory that nvl72block snapshot wrote (default: ask the running cluster)")
        ->type_name("DIR");
    command
        .add_option("--topology", options.topology,
                    "Blocks from this topology.conf (default: those that the cluster uses)")
        ->type_name("FILE");
}

const PartitionRecord* ClusterState::find_partition(std::string_view name) const {
    return find_named(partitions, name);
}

const ReservationRecord* ClusterState::find_reservation(std::string_view name) const {
    return find_named(reservations, name);
}

const PartitionRecord& ClusterState::partition(const std::string& name) const {
    std::string names;
    for (const PartitionRecord& each : partitions) {
        if (name.empty() ? each.is_default : each.name == name) return each;
        names += (names.empty() ? "" : ", ") + each.name;
    }
    if (partitions.empty())
        throw InputError("scontrol show partitions", "shows no partition",
                         "ask as a user who may see one");
    throw InputError("--partition",
                     name.empty() ? "is missing, and there is no default partition"
                                  : fmt::format("\"{}\" is unknown", name),
                     "write one of " + names);
}

Document state_document(const std::string& folder) {
    return folder.empty() ? live_document() : read_snapshot(folder);
}

ClusterState read_state(const StateOptions& options, std::ostream& notes_stream, NodeOrder order) {
    return state_of(state_document(options.folder), options.topology, notes_stream, order);
}

ClusterState state_of(const Document& document, const std::string& topology,
                      std::ostream& notes_stream, NodeOrder order) {
    Notes notes;
    const ConfigRecord config = read_config(document);
    std::vector<std::string> findings;
    const Options slurm_options = parse_options(config.topology_param, findings);
    std::vector<NodeRecord> nodes = read_nodes(document, notes);
    std::erase_if(nodes, [](const NodeRecord& node) { return node.base == NodeBase::future; });
    LoadedCluster cluster =
        topology.empty()
            ? shown_cluster(document, config, nodes, slurm_options, order, notes)
            : load_cluster({topology, {}, names_of(nodes), slurm_options}, notes_stream);
    add_cliques(cluster, nodes, slurm_options, notes_stream);

    ClusterState state{.now = config.now,
                       .cluster_name = config.cluster_name,
                       .slurm_version = config.slurm_version,
                       .topology_plugin = config.topology_plugin,
                       .options = slurm_options,
                       .cluster = std::move(cluster),
                       .shows_segments = version_shows_segments(config.slurm_version),
                       .demand_file = document.root().lines("demand"),
                       .user = document.root().text("user"),
                       .preempt_type = config.preempt_type,
                       .enforce_part_limits = config.enforce_part_limits};
    const NodeTable& table = state.cluster.nodes;
    state.nodes = in_table_order(std::move(nodes), table, notes);
    state.partitions = read_partitions(document, table, notes);
    state.reservations = read_reservations(document, table, notes);
    state.jobs = read_jobs(document, table, notes);
    note_private_data(config, state.user, notes);
    note_topologies(state, notes);
    notes.print(notes_stream);
    return state;
}

}  // namespace nvl72block::cli
