// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/snapshot/snapshot_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/state/cluster_state.hpp"
#include "cli/state/state_text.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* help_footer = R"(
The folder holds the output of scontrol unchanged: names of users, jobs, accounts, commands and folders included.
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
    snapshot.footer(help_footer);
    return snapshot;
}

int run_snapshot(const SnapshotOptions& options, Console& console) {
    write_snapshot(options.folder, read_live_text());
    const ClusterState state = read_state({options.folder, ""}, console.err);
    console.out << fmt::format("{}: {} at {}, {}, {}\n", options.folder, state.cluster_name,
                               time_text(state.now), plural(state.nodes.size(), "node"),
                               plural(state.jobs.size(), "job"));
    return exit_ok;
}

}  // namespace nvl72block::cli
