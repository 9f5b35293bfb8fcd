// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block why`: what a pending job waits for; how good the place of a running one is.
#pragma once

#include "cli/console.hpp"
#include "cli/state/cluster_state.hpp"
#include "cli/why/asked_job.hpp"

namespace nvl72block::cli {

struct WhyOptions {
    StateOptions state;
    AskedJobOptions job;
    bool json = false;
};

/// Declares the subcommand on `app`.
CLI::App& add_why(CLI::App& app, WhyOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_why(const WhyOptions& options, Console& console);

}  // namespace nvl72block::cli
