// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block graph`: the containment of blocks as a Graphviz drawing.
#pragma once

#include <string>

#include "cli/console.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

struct GraphOptions {
    std::string topology;
    bool nodes = false;  ///< a vertex for each node, too
};

/// Declares the subcommand on `app`.
CLI::App& add_graph(CLI::App& app, GraphOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_graph(const GraphOptions& options, Console& console);

}  // namespace nvl72block::cli
