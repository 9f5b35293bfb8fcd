// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order in which slurmctld looks at waiting jobs: by the tier of the partition, then by
// priority, then by number.
#pragma once

#include <vector>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// Jobs that wait for nodes or their turn: not held, and for no other job or later time. In order.
[[nodiscard]] std::vector<const JobRecord*> jobs_in_line(const ClusterState& state);

/// Whether the job waits for nodes: not for its --begin, nor for licenses.
[[nodiscard]] bool waits_for_nodes(const ClusterState& state, const JobRecord& job);

/// Those of them that come before `job` and may use nodes of its partition.
[[nodiscard]] std::vector<const JobRecord*> jobs_before(const ClusterState& state,
                                                        const JobRecord& job,
                                                        const PartitionRecord& partition);

}  // namespace nvl72block::cli
