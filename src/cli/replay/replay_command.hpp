// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block replay`: recorded jobs under each policy, and what became of them.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/replay/replay_throughput.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

/// The options as written; empty means the default that the help states.
struct ReplayOptions {
    std::string traces;    ///< files, separated by commas
    std::string workload;  ///< generators; without either option, default_workload
    std::string racks;
    std::string nodes_per_rack = "18";
    std::string block_sizes;
    std::string policies = "all";
    std::string demand = "auto";
    std::string history;  ///< file of what was learned before; empty: from the warm part
    std::string jobs;
    std::string seed = "1";
    std::string runs = "1";
    std::string load = "0.9";
    std::string segment_rule = "nvidia";
    std::string limits = "typical";
    std::string warm = "0";
    ThroughputText throughput;
    std::string unavailable = "0";
    std::string reservations = "1";
    std::string svg;
    std::string write_log;  ///< file for the jobs of the first run
    bool json = false;
};

/// Declares the subcommand on `app`.
CLI::App& add_replay(CLI::App& app, ReplayOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_replay(const ReplayOptions& options, Console& console);

}  // namespace nvl72block::cli
