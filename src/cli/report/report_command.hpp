// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block report`: what belongs in a bug report about a job, with names replaced.
#pragma once

#include "cli/console.hpp"
#include "cli/state/cluster_state.hpp"
#include "cli/why/asked_job.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

struct ReportOptions {
    StateOptions state;
    AskedJobOptions job;
};

/// Declares the subcommand on `app`.
CLI::App& add_report(CLI::App& app, ReportOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_report(const ReportOptions& options, Console& console);

}  // namespace nvl72block::cli
