// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/generate/generate_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/generate/proposal_writer.hpp"
#include "cli/input/input_error.hpp"
#include "cli/output/replace_file.hpp"
#include "nvl72block/block_proposal.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* generate_footer = R"(
Exit status: 0 done, 1 with --changes: there are changes, 2 the input is invalid.

Examples:
  A first topology.conf from the labels that NVIDIA's device plugin sets:
    kubectl get nodes -o json > nodes.json
    nvl72block generate --features nodes.json --output topology.conf --slurm-conf features.conf
  The changes to the current topology.conf after recabling:
    scontrol show nodes > nodes.txt
    nvl72block generate --features nodes.txt --topology /etc/slurm/topology.conf --changes)";

std::string comment(const std::string& lines) {
    std::string text;
    bool at_start = true;
    for (const char letter : lines) {
        if (at_start) text += "# ";
        text += letter;
        at_start = letter == '\n';
    }
    return text;
}

/// The names that a topology without a file has: those of the inventory.
LoadedCluster cluster_of(const Inventory& inventory) {
    std::vector<std::string> names;
    for (const InventoryNode& node : inventory.nodes()) names.push_back(node.name);
    NodeTable nodes(std::move(names));
    Options options;
    options.cliques = CliqueMode::derive;
    Diagnostics none;  // nothing was read
    auto cluster = Cluster::build({}, options, nodes.size(), {}, none);
    return {std::move(nodes), std::move(cluster).value()};
}

/// The cliques that the blocks are made of.
CliqueMap valid_cliques(const LoadedCluster& loaded, const Inventory& inventory,
                        std::ostream& notes) {
    CliqueMap cliques = clique_map(loaded, inventory, notes);
    if (cliques.clique_count() == 0)
        throw InputError("--features",
                         fmt::format("no node names a valid clique: {}",
                                     fmt::join(nodes_left_out(NodeSet(loaded.nodes.size()), "",
                                                              loaded.nodes, cliques),
                                               "; ")),
                         "correct the features or the fabric");
    return cliques;
}

void write_proposal(const GenerateOptions& options, const BlockProposal& proposal,
                    const LoadedCluster& loaded, const CliqueMap& cliques, Console& console) {
    std::string conf = topology_conf(proposal, loaded.nodes, cliques);
    const std::string features =
        feature_lines(proposal, loaded.nodes, cliques, options.features.prefix);
    if (options.slurm_conf.empty())
        conf += "# For the nodes' lines in slurm.conf:\n" + comment(features);
    else
        replace_file("--slurm-conf", options.slurm_conf, features);
    if (options.output.empty())
        console.out << conf;
    else
        replace_file("--output", options.output, conf);
}

int generate_anew(const GenerateOptions& options, const Inventory& inventory, Console& console) {
    if (options.changes)
        throw InputError("--changes", "needs an existing topology.conf to compare with",
                         "pass it with --topology");
    const LoadedCluster loaded = cluster_of(inventory);
    const CliqueMap cliques = valid_cliques(loaded, inventory, console.err);
    write_proposal(options, propose_blocks(cliques), loaded, cliques, console);
    return exit_ok;
}

int generate_from(const GenerateOptions& options, const Inventory& inventory, Console& console) {
    const LoadedCluster loaded =
        load_cluster({options.topology, {}, nodes_with_word(inventory), {}}, console.err);
    const CliqueMap cliques = valid_cliques(loaded, inventory, console.err);
    const BlockProposal proposal = propose_blocks(cliques, loaded.cluster);
    const std::string changes = proposed_changes(proposal, loaded);
    std::ostream& told = options.changes ? console.out : console.err;
    told << (changes.empty() ? options.topology + ": no changes\n" : changes);
    if (options.changes) return changes.empty() ? exit_ok : exit_findings;
    write_proposal(options, proposal, loaded, cliques, console);
    return exit_ok;
}

}  // namespace

CLI::App& add_generate(CLI::App& app, GenerateOptions& options) {
    CLI::App& generate = *app.add_subcommand(
        "generate",
        "Write a topology.conf and Feature= lines from the cliques that the fabric reports");
    add_feature_options(generate, options.features);
    generate.get_option("--features")->required();
    generate
        .add_option("--topology", options.topology,
                    "An existing topology.conf, whose names, order and BlockSizes are kept")
        ->type_name("FILE");
    CLI::Option* output =
        generate.add_option("--output", options.output, "Write the topology.conf to FILE")
            ->type_name("FILE");
    CLI::Option* slurm_conf =
        generate
            .add_option("--slurm-conf", options.slurm_conf,
                        "Write the Feature= lines to FILE instead of as comments")
            ->type_name("FILE");
    generate.add_flag("--changes", options.changes, "Print only the changes")
        ->excludes(output)
        ->excludes(slurm_conf);
    generate.footer(generate_footer);
    return generate;
}

int run_generate(const GenerateOptions& options, Console& console) {
    const Inventory inventory = read_features(options.features);
    return options.topology.empty() ? generate_anew(options, inventory, console)
                                    : generate_from(options, inventory, console);
}

}  // namespace nvl72block::cli
