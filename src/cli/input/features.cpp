// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/features.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {

void add_feature_options(CLI::App& command, FeatureOptions& options) {
    command
        .add_option("--features", options.files,
                    "File with the nodes' cliques: scontrol show nodes (text or --json), "
                    "kubectl get nodes -o json, lines of NODES FEATURES, or nvidia-smi -q output "
                    "in files named after the host; or a directory with such files")
        ->type_name("FILE");
    command
        .add_option("--clique-prefix", options.prefix,
                    "Prefix of the features <uuid>.<id> (Nvl72CliquePrefix)")
        ->type_name("TEXT");
}

Inventory read_features(const FeatureOptions& options) {
    if (options.files.empty())
        throw InputError("--features", "names no file",
                         "pass a file with the output of scontrol show nodes");
    Diagnostics diagnostics;
    Inventory inventory = read_inventory_files(options.files, options.prefix, diagnostics);
    std::string errors;
    for (const Diagnostic& diagnostic : diagnostics)
        errors += (errors.empty() ? "" : "\n") + to_string(diagnostic);
    if (!errors.empty()) throw InputError(errors);
    if (inventory.nodes().empty())
        throw InputError("--features", "has no node",
                         "pass a file with the output of scontrol show nodes");
    if (nodes_with_word(inventory).empty())
        throw InputError("--features",
                         fmt::format("none of {} nodes names a clique", inventory.nodes().size()),
                         "use --clique-prefix if the features have a prefix before <uuid>.<id>");
    return inventory;
}

std::vector<std::string> nodes_with_word(const Inventory& inventory) {
    std::vector<std::string> names;
    for (const InventoryNode& node : inventory.nodes())
        if (node.clique.status != CliqueStatus::absent) names.push_back(node.name);
    return names;
}

CliqueMap clique_map(const LoadedCluster& loaded, const Inventory& inventory, std::ostream& notes) {
    CliqueMap cliques(loaded.nodes.size());
    NodeSet unknown(loaded.nodes.size());
    for (NodeIndex node = 0; node < loaded.nodes.size(); ++node) {
        const InventoryNode* known = inventory.find(loaded.nodes.name(node));
        if (known == nullptr)
            unknown.set(node);
        else
            cliques.set(node, known->clique);
    }
    if (!unknown.empty())
        notes << fmt::format("note: --features has no entry for {} of {} nodes: {}\n",
                             unknown.count(), loaded.nodes.size(), loaded.nodes.hostlist(unknown));
    return cliques;
}

}  // namespace nvl72block::cli
