// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers requests one after another; each sees the nodes of the former ones busy.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/input/loaded_cluster.hpp"
#include "cli/input/request_options.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

class Planner {
  public:
    /// `weights` has an entry per node, or none. `loaded` has to outlive the planner.
    Planner(const LoadedCluster& loaded, NodeSet busy, NodeSet drained,
            std::vector<std::uint64_t> weights);

    /// Places one job; if it fits, its nodes are busy from now on, and with --exclusive-topo its
    /// base blocks are closed to later jobs.
    [[nodiscard]] Answer plan(const JobRequest& asked);

  private:
    /// Nodes that are idle and in no base block that is closed to this job.
    [[nodiscard]] NodeSet open_nodes(const JobRecord& job) const;
    void occupy(const JobRecord& job, const Placement& placement);

    const LoadedCluster& loaded_;
    NodeSet busy_;
    NodeSet drained_;
    NodeSet idle_;
    std::vector<std::uint64_t> weights_;
    NodeSet held_;  // of jobs that have their base blocks for themselves
};

}  // namespace nvl72block::cli
