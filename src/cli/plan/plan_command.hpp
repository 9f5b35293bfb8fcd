// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block plan`: where would a job go now, or why would it not; offline, or in a running
// cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/input/cluster_with_cliques.hpp"
#include "cli/input/request_options.hpp"
#include "cli/plan/live_plan.hpp"
#include "cli/plan/placement_cost.hpp"

namespace nvl72block::cli {

struct PlanOptions {
    std::optional<std::string> topology;  ///< not given: the state of a running cluster
    std::string state;                    ///< a folder that `nvl72block snapshot` wrote
    LiveJobOptions live;
    std::string busy;
    std::string drained;
    std::string weights;
    CliqueOptions cliques;
    std::string requests;
    RequestOptions job;
    std::vector<std::string> sbatch;  ///< "sbatch" and what follows it; empty: not given
    CostOptions cost;
    bool json = false;
};

/// Declares the subcommand on `app`.
CLI::App& add_plan(CLI::App& app, PlanOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_plan(const PlanOptions& options, Console& console);

}  // namespace nvl72block::cli
