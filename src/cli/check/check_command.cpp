// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/check_command.hpp"

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/check/check_report.hpp"
#include "cli/exit_code.hpp"
#include "cli/json_line.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* help_footer = R"(
Exit status: 0 blocks and cliques agree, 1 there are findings, 2 the input is invalid.

Examples:
  A running cluster whose nodes have their clique as a feature:
    scontrol show nodes > nodes.txt
    nvl72block check --topology /etc/slurm/topology.conf --features nodes.txt
  The same from Kubernetes, where NVIDIA's device plugin labels the nodes:
    kubectl get nodes -o json > nodes.json
    nvl72block check --topology topology.conf --features nodes.json --json)";

}  // namespace

CLI::App& add_check(CLI::App& app, CheckOptions& options) {
    CLI::App& check = *app.add_subcommand(
        "check", "Compare the blocks with the NVLink cliques that the fabric reports");
    check.add_option("--topology", options.topology, "The topology.conf file")
        ->type_name("FILE")
        ->required();
    add_feature_options(check, options.features);
    check.get_option("--features")->required();
    check.add_flag("--json", options.json, "Print JSON on one line");
    check.footer(help_footer);
    return check;
}

int run_check(const CheckOptions& options, Console& console) {
    const Inventory inventory = read_features(options.features);
    const Site site =
        load_site({options.topology, {}, nodes_with_word(inventory), {}}, console.err);
    const CliqueMap cliques = clique_map(site, inventory, console.err);
    const CliqueReport report = compare_cliques(site.topology(), cliques);
    if (options.json)
        console.out << json_line(check_json(site, cliques, report)) << '\n';
    else
        console.out << check_text(site, cliques, report);
    return report.findings.empty() ? exit_ok : exit_findings;
}

}  // namespace nvl72block::cli
