// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block learn`: what slurmctld would have learned from the jobs in the accounting.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

struct LearnOptions {
    std::vector<std::string> logs;  ///< files
    std::string segment_rule = "plain";
    std::string topology;  ///< topology.conf; empty: the levels are not known
    std::string output;    ///< where the history goes; empty: nowhere
    bool ends_now = false;
    bool replace = false;
    bool json = false;
};

/// Declares the subcommand on `app`.
CLI::App& add_learn(CLI::App& app, LearnOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_learn(const LearnOptions& options, Console& console);

}  // namespace nvl72block::cli
