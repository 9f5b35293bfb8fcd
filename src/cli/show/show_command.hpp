// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block show`: the rack map and what the free nodes can still hold.
#pragma once

#include <optional>
#include <string>

#include "cli/console.hpp"
#include "cli/show/shown_cluster.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

struct ShowOptions {
    ShownOptions cluster;
    std::string width;
    std::string color = "auto";
    bool json = false;
    std::string svg;                   ///< file to write
    std::string html;                  ///< the same
    std::optional<std::string> watch;  ///< seconds
};

/// Declares the subcommand on `app`.
CLI::App& add_show(CLI::App& app, ShowOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_show(const ShowOptions& options, Console& console);

}  // namespace nvl72block::cli
