// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/clique_site.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <utility>

#include "cli/input_error.hpp"

namespace nvl72block::cli {
namespace {

void check_word(const std::string& option, const std::string& word,
                const std::vector<std::string>& words, const std::string& remedy) {
    for (const std::string& known : words)
        if (word == known) return;
    throw InputError(option, fmt::format("\"{}\" is unknown", word), remedy);
}

void check(const CliqueOptions& options) {
    check_word("--clique", options.mode, {"verify", "enforce", "derive"},
               "write verify, enforce or derive");
    check_word("--aggregate", options.aggregate, {"position", "name"}, "write position or name");
    if (options.mode != "verify" && options.features.files.empty())
        throw InputError("--clique", fmt::format("{} needs the nodes' cliques", options.mode),
                         "name their source with --features");
}

/// The same nodes in blocks that are the cliques, with the sizes of the topology.conf.
Topology derived(const std::string& topology_file, const CliqueMap& cliques) {
    Diagnostics known;  // load_site has told them
    const auto config = read_topology_config(topology_file, known, BlockLines::optional);
    CliqueBlocks blocks = blocks_of_cliques(cliques);
    return Topology::of_blocks(
        {.names = std::move(blocks.names),
         .block_of = std::move(blocks.block_of),
         .sizes = config ? config->block_sizes : std::vector<std::uint32_t>(),
         .default_size = std::max(blocks.usual_size, 1U)});
}

}  // namespace

void add_clique_options(CLI::App& command, CliqueOptions& options) {
    add_feature_options(command, options.features);
    command
        .add_option("--clique", options.mode,
                    "Use of the cliques, as Nvl72Clique: verify, enforce or derive")
        ->type_name("MODE")
        ->capture_default_str();
    command
        .add_option(
            "--aggregate", options.aggregate,
            "How base blocks are joined into larger blocks, as Nvl72Aggregate: position or name")
        ->type_name("HOW")
        ->capture_default_str();
}

CliqueSite load_clique_site(const std::string& topology_file, const std::vector<NamedList>& lists,
                            const CliqueOptions& options, std::ostream& notes) {
    check(options);
    const bool by_name = options.aggregate == "name";
    if (options.features.files.empty())
        return {load_site({topology_file, lists, {}, by_name, false}, notes), std::nullopt};
    const Inventory inventory = read_features(options.features);
    CliqueSite loaded{load_site({topology_file, lists, nodes_with_word(inventory), by_name,
                                 options.mode == "derive"},
                                notes),
                      std::nullopt};
    Site& site = loaded.site;
    const CliqueMap cliques = clique_map(site, inventory, notes);
    if (options.mode == "derive") {
        site.topology = derived(topology_file, cliques);
        return loaded;
    }
    const CliqueReport report = compare_cliques(site.topology, cliques);
    if (!report.findings.empty())
        notes << "note: " << summary(report) << "; nvl72block check lists them\n";
    if (options.mode == "enforce") loaded.places = clique_places(site.topology, cliques);
    return loaded;
}

}  // namespace nvl72block::cli
