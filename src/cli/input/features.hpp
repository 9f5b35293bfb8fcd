// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options that name where the nodes' cliques are written down, and what is read from there.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/input/site.hpp"
#include "cli/inventory/inventory.hpp"
#include "nvl72block/clique.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

struct FeatureOptions {
    std::vector<std::string> files;
    std::string prefix;
};

/// Declares --features and --clique-prefix.
void add_feature_options(CLI::App& command, FeatureOptions& options);

/// Reads the sources; InputError with every finding if one of them cannot be understood, or if none
/// of them says a word about a clique.
[[nodiscard]] Inventory read_features(const FeatureOptions& options);

/// Names of the nodes of which `inventory` says something about a clique.
[[nodiscard]] std::vector<std::string> nodes_with_word(const Inventory& inventory);

/// The cliques of the site's nodes. A note about nodes of the site that `inventory` does not know
/// goes to `notes`.
[[nodiscard]] CliqueMap clique_map(const Site& site, const Inventory& inventory,
                                   std::ostream& notes);

}  // namespace nvl72block::cli
