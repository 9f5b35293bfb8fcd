// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block metrics`: the cluster's state as Prometheus metrics.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/show/shown_cluster.hpp"

namespace nvl72block::cli {

struct MetricsOptions {
    ShownOptions cluster;
    std::string output;  ///< empty: stdout
    std::string shadow;  ///< file of records; empty: none
};

/// Declares the subcommand on `app`.
CLI::App& add_metrics(CLI::App& app, MetricsOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_metrics(const MetricsOptions& options, Console& console);

}  // namespace nvl72block::cli
