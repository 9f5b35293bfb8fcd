// SPDX-License-Identifier: GPL-2.0-or-later
//
// A site as the plugin sees it under its options Nvl72Clique and Nvl72Aggregate.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/input/features.hpp"
#include "cli/input/site.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block::cli {

struct CliqueOptions {
    FeatureOptions features;
    std::string mode = "verify";         ///< Nvl72Clique: verify, enforce or derive
    std::string aggregate = "position";  ///< Nvl72Aggregate: position or name
};

/// Declares --features, --clique-prefix, --clique and --aggregate.
void add_clique_options(CLI::App& command, CliqueOptions& options);

/// Reads the site; without --features as load_site does. In mode verify a note tells how far blocks
/// and cliques agree; in mode enforce its
/// topology has islands; in mode derive the cliques are the blocks. Throws InputError.
[[nodiscard]] Site load_clique_site(const std::string& topology_file,
                                    const std::vector<NamedList>& lists,
                                    const CliqueOptions& options, std::ostream& notes);

}  // namespace nvl72block::cli
