// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block capacity`: what would start now in a running cluster.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

struct CapacityOptions {
    StateOptions state;
    std::vector<std::string> segments;
    std::string partition;
    std::string time;
    bool json = false;
};

/// Declares the subcommand on `app`.
CLI::App& add_capacity(CLI::App& app, CapacityOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_capacity(const CapacityOptions& options, Console& console);

}  // namespace nvl72block::cli
