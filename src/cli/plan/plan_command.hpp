// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block plan`: where would a job go now, or why would it not.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/input/clique_site.hpp"
#include "cli/input/request_options.hpp"

namespace nvl72block::cli {

struct PlanOptions {
    std::string topology;
    std::string busy;
    std::string drained;
    std::string weights;
    CliqueOptions cliques;
    std::string requests;
    RequestOptions job;
    bool json = false;
};

/// Declares the subcommand on `app`.
CLI::App& add_plan(CLI::App& app, PlanOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_plan(const PlanOptions& options, Console& console);

}  // namespace nvl72block::cli
