// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order in which slurmctld looks at waiting jobs: by the tier of the partition, then by
// priority, then by number.
#pragma once

#include <vector>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// When the job may start at the earliest: now, or at its --begin.
[[nodiscard]] SlurmTime first_start(const JobRecord& job, SlurmTime now);

/// Jobs that wait for nodes or their turn: not held, and for no other job or later time. In order.
[[nodiscard]] std::vector<const JobRecord*> jobs_in_line(const ClusterState& state);

/// Whether the job waits for nodes: not for its --begin, nor for licenses.
[[nodiscard]] bool waits_for_nodes(const ClusterState& state, const JobRecord& job);

/// Whether Slurm's reason is that of an evaluation for a start. Jobs with another one are not
/// evaluated, or not for sure: behind a waiting job (Priority) backfill tests as many as
/// bf_max_job_test and the like allow, and with too few nodes in service no plugin is asked.
[[nodiscard]] bool was_evaluated(const JobRecord& job);
/// Whether Slurm's reason tells of nodes or of jobs that come first, and so of no limit, hold,
/// partition or the like.
[[nodiscard]] bool nothing_else_holds(const JobRecord& job);

/// Those of them that come before `job` and may use nodes of its partition.
[[nodiscard]] std::vector<const JobRecord*> jobs_before(const ClusterState& state,
                                                        const JobRecord& job,
                                                        const PartitionRecord& partition);

}  // namespace nvl72block::cli
