// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/shown_cluster.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/question/availability.hpp"
#include "cli/question/cliques.hpp"
#include "cli/question/node_use.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

struct JobList {
    std::string name;
    NamedList nodes;
};

JobList parse_job(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw InputError("--job", fmt::format("\"{}\" has no name", text),
                         "write --job NAME=HOSTLIST, e.g. --job 4711=node[001-016]");
    const std::string name = text.substr(0, equals);
    return {name, {fmt::format("--job {}", name), text.substr(equals + 1)}};
}

NodeStates states_of(const ShownOptions& options, const std::vector<JobList>& lists,
                     const NodeTable& nodes) {
    std::vector<NamedJob> jobs;
    jobs.reserve(lists.size());
    for (const JobList& job : lists)
        jobs.push_back({job.name, nodes.parse(job.nodes.location, job.nodes.text)});
    return {nodes.parse("--busy", options.busy), nodes.parse("--drained", options.drained),
            nodes.parse("--reserved", options.reserved), std::move(jobs)};
}

/// Whoever asks: jobs that would end at once, so that reservations of later do not matter.
Viewer anybody() {
    Viewer viewer;
    viewer.duration = 1;
    return viewer;
}

bool is_down(const NodeRecord& node) {
    return node.base == NodeBase::down || node.base == NodeBase::error || node.has(flag_fail) ||
           node.has(flag_no_respond);
}

std::string job_note(const JobRecord& job, SlurmTime now) {
    std::string note = excerpt(job.name);
    const auto add = [&note](const std::string& text) {
        if (!text.empty()) note += (note.empty() ? "" : ", ") + text;
    };
    add(job.user);
    add(job.partition);
    if (job.state == JobState::completing) add("completing");
    if (job.state == JobState::suspended) add("suspended");
    if (job.end && *job.end > now) add(duration_text(*job.end - now) + " left");
    return note;
}

/// The state in Slurm's words where it is more than idle or in use, and reservations.
std::string node_note(const ClusterState& state, NodeIndex index, bool reserved) {
    const NodeRecord& node = state.nodes[index];
    std::string note;
    if (!in_service(node) || node.flags != 0) note = node.state;
    if (!node.reason.empty() && !note.empty()) note += fmt::format(" ({})", node.reason);
    if (!reserved) return note;
    std::string names;
    for (const ReservationRecord& reservation : state.reservations)
        if (reservation.nodes.test(index) && reservation.start <= state.now &&
            reservation.end > state.now)
            names += (names.empty() ? "" : ", ") + reservation.name;
    if (names.empty()) return note;
    return note + (note.empty() ? "" : ", ") + "reservation " + names;
}

/// What nodes do, by the sets of ShownCluster and NodeStates.
struct NodeSets {
    explicit NodeSets(std::size_t count)
        : busy(count), drained(count), partly(count), down(count), unavailable(count) {}

    void add(const NodeRecord& node, NodeIndex index) {
        if (has_job(node)) busy.set(index);
        if (node.base == NodeBase::mixed) partly.set(index);
        if (!in_service(node)) {
            drained.set(index);
            if (is_down(node)) down.set(index);
            if (!is_down(node) && !node.has(flag_drain)) unavailable.set(index);
        } else if (node.has(flag_planned)) {
            unavailable.set(index);
        }
    }

    NodeSet busy, drained, partly, down, unavailable;
};

}  // namespace

void add_shown_options(CLI::App& command, ShownOptions& options) {
    add_state_options(command, options.state);
    command.get_option("--topology")
        ->description(
            "The topology.conf file; without --state, the state is what the options below say");
    command.add_option("--busy", options.busy, "Busy nodes")->type_name("HOSTLIST");
    command.add_option("--drained", options.drained, "Nodes out of service")->type_name("HOSTLIST");
    command.add_option("--reserved", options.reserved, "Reserved nodes")->type_name("HOSTLIST");
    command.add_option("--job", options.jobs, "A job and its nodes; repeatable")
        ->type_name("NAME=HOSTLIST")
        ->allow_extra_args(false);
    add_feature_options(command, options.features);
}

ShownCluster cluster_of_lists(const ShownOptions& options, std::ostream& notes) {
    std::vector<JobList> job_lists;
    std::vector<NamedList> lists = {
        {"--busy", options.busy}, {"--drained", options.drained}, {"--reserved", options.reserved}};
    for (const std::string& text : options.jobs) {
        job_lists.push_back(parse_job(text));
        lists.push_back(job_lists.back().nodes);
    }
    ClusterSource source{options.state.topology, std::move(lists), {}, {}};
    Inventory inventory;
    if (!options.features.files.empty()) {
        inventory = read_features(options.features);
        source.more = nodes_with_word(inventory);
    }
    LoadedCluster loaded = load_cluster(source, notes);
    NodeStates states = states_of(options, job_lists, loaded.nodes);
    std::optional<CliqueMap> cliques;
    if (!options.features.files.empty()) cliques = clique_map(loaded, inventory, notes);
    const std::string file = std::filesystem::path(options.state.topology).filename().string();
    return {"Racks of " + file,
            std::move(loaded),
            std::move(states),
            std::move(cliques),
            {},
            {},
            {},
            {},
            {}};
}

ClusterState state_of(const ShownOptions& options, std::ostream& notes) {
    const bool lists = !options.busy.empty() || !options.drained.empty() ||
                       !options.reserved.empty() || !options.jobs.empty() ||
                       !options.features.files.empty();
    if (lists)
        throw InputError("--busy, --drained, --reserved, --job, --features",
                         "contradict the cluster's own state",
                         "give them with --topology FILE and without --state, or leave them out");
    return read_state(options.state, notes);
}

ShownCluster cluster_of_state(const ClusterState& state) {
    NodeSets sets(state.nodes.size());
    const NodeSet reserved = reserved_nodes(state, anybody(), state.now);
    std::vector<std::string> node_notes;
    for (NodeIndex node = 0; node < state.nodes.size(); ++node) {
        sets.add(state.nodes[node], node);
        node_notes.push_back(node_note(state, node, reserved.test(node)));
    }
    std::vector<NamedJob> jobs;
    std::vector<std::string> job_notes;
    for (const JobRecord& job : state.jobs) {
        if (!holds_nodes(job)) continue;
        jobs.push_back({job.label(), job.nodes});
        job_notes.push_back(job_note(job, state.now));
    }
    return {fmt::format("Racks of cluster {}, {}", state.cluster_name, time_text(state.now)),
            state.cluster,
            {std::move(sets.busy), std::move(sets.drained), reserved, std::move(jobs)},
            cliques_of(state),
            std::move(node_notes),
            std::move(job_notes),
            std::move(sets.partly),
            std::move(sets.down),
            std::move(sets.unavailable),
            state.runs_nvl72block() ? demand_in_force(state) : std::nullopt};
}

}  // namespace nvl72block::cli
