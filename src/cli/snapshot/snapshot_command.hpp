// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block snapshot`: saves the cluster's state, for --state of the other commands.
#pragma once

#include <string>

#include "cli/console.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

struct SnapshotOptions {
    std::string folder;
};

/// Declares the subcommand on `app`.
CLI::App& add_snapshot(CLI::App& app, SnapshotOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_snapshot(const SnapshotOptions& options, Console& console);

}  // namespace nvl72block::cli
