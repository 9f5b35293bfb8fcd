// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/snapshot/snapshot_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/state/cluster_state.hpp"
#include "cli/state/document.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* snapshot_footer = R"(
The directory has one file, state.json: slurmctld's records, with the names of nodes, users and jobs.
Look at it before it leaves the site.

Example:
  nvl72block snapshot state-monday
  nvl72block capacity --state state-monday)";

}  // namespace

CLI::App& add_snapshot(CLI::App& app, SnapshotOptions& options) {
    CLI::App& snapshot = *app.add_subcommand(
        "snapshot", "Save the state of the running cluster, for --state of the other subcommands");
    snapshot
        .add_option("DIR", options.folder,
                    "The directory to write; a previous snapshot is replaced")
        ->type_name("")
        ->required();
    snapshot.footer(snapshot_footer);
    return snapshot;
}

int run_snapshot(const SnapshotOptions& options, Console& console) {
    const Document document = live_document();
    const ClusterState state = state_of(document, "", console.err);
    write_snapshot(options.folder, document);
    console.out << fmt::format("{}: {} at {}, {}, {}\n", options.folder, state.cluster_name,
                               time_text(state.now), plural(state.nodes.size(), "node"),
                               plural(state.jobs.size(), "job"));
    return exit_ok;
}

}  // namespace nvl72block::cli
