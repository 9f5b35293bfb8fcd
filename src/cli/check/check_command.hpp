// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block check`: would the plugin load this topology file, and do its blocks agree with the
// cliques of the fabric.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/input/features.hpp"

namespace nvl72block::cli {

struct CheckOptions {
    std::string topology;
    std::string state;
    std::string nodes;
    std::string param;
    std::string requests;
    FeatureOptions features;
    bool live = false;
    bool json = false;
};

/// Declares the subcommand on `app`.
CLI::App& add_check(CLI::App& app, CheckOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_check(const CheckOptions& options, Console& console);

}  // namespace nvl72block::cli
