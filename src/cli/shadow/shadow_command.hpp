// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block shadow`: what the plugin would have decided beside topology/block.
#pragma once

#include <string>

#include "cli/console.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

struct ShadowOptions {
    std::string file;
    std::string html;
    std::string export_number;
    bool json = false;
};

/// Declares the subcommand on `app`.
CLI::App& add_shadow(CLI::App& app, ShadowOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_shadow(const ShadowOptions& options, Console& console);

}  // namespace nvl72block::cli
