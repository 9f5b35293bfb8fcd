// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs planned in a running cluster: which nodes its state leaves to them, and what of Slurm's
// decision the answer leaves open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/input/request_options.hpp"
#include "cli/plan/planner.hpp"
#include "cli/question/availability.hpp"
#include "cli/question/demand_in_force.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

/// sbatch's options that only a running cluster gives a meaning; empty: not given.
struct LiveJobOptions {
    std::string partition;
    std::string time;
    std::string reservation;
    std::string constraint;
};

class LivePlan {
  public:
    /// InputError for an unknown partition or reservation. `state` has to outlive this.
    LivePlan(const ClusterState& state, const LiveJobOptions& options);

    /// Jobs are planned one after another, as by Planner.
    [[nodiscard]] Answer plan(JobRequest request);
    /// What may make Slurm decide otherwise.
    [[nodiscard]] std::vector<std::string> remarks(const Answer& answer) const;

  private:
    [[nodiscard]] NodeSet unsuitable(const std::string& constraint);
    void add_remarks();

    const ClusterState& state_;
    std::optional<DemandInForce> demand_;
    Viewer viewer_;
    Availability nodes_;
    std::vector<std::string> remarks_;
    std::string unmet_;  ///< why no node will do; empty for none
    Planner planner_;
};

}  // namespace nvl72block::cli
