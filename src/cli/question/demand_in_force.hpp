// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld keeps slots for, as far as the command can tell (docs/demand.md).
#pragma once

#include <optional>
#include <string>

#include "cli/state/cluster_state.hpp"
#include "nvl72block/demand.hpp"

namespace nvl72block::cli {

struct DemandInForce {
    Demand demand;
    std::string source;  ///< how it is known, e.g. "stated by Nvl72Demand"
};

/// nullopt unless the cluster's policy is demand. A demand that slurmctld learns is counted again
/// from the jobs of `state`, after the history in slurmctld's file where that could be read.
[[nodiscard]] std::optional<DemandInForce> demand_in_force(const ClusterState& state);

/// "16:0.8+4:0.2 (stated by Nvl72Demand)"
[[nodiscard]] std::string to_string(const DemandInForce& known);

}  // namespace nvl72block::cli
