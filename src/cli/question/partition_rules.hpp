// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a partition makes of a job: which jobs are its, how long they may run, how many nodes they
// may have, and whether they share nodes and blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/state/cluster_state.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

/// Of the partitions that the job was submitted to, the first one that takes it and is up; where
/// none is, the first one that takes it, or the first one. nullptr if it is not shown.
[[nodiscard]] const PartitionRecord* partition_of(const ClusterState& state, const JobRecord& job);
/// Whether the job was submitted to the partition, alone or among others.
[[nodiscard]] bool is_of(const JobRecord& job, const PartitionRecord& partition);

/// Seconds for which the job runs at most, and for which it has to be able to run: backfill
/// shortens it down to its --time-min, but no job with --deadline. nullopt: no limit.
[[nodiscard]] std::optional<std::int64_t> longest_run(const JobRecord& job,
                                                      const PartitionRecord& partition);
[[nodiscard]] std::optional<std::int64_t> shortest_run(const JobRecord& job,
                                                       const PartitionRecord& partition);

/// Whether the job has its nodes, or its base blocks, for itself.
[[nodiscard]] bool has_whole_nodes(const JobRecord& job, const PartitionRecord& partition);
[[nodiscard]] bool has_whole_blocks(const JobRecord& job, const PartitionRecord& partition);

/// "partition debug is drained: it takes no new jobs"; empty where it is up.
[[nodiscard]] std::string state_remark(const PartitionRecord& partition);

/// Whose jobs alone the partition takes (AllowAccounts= and the like), where the job does not say
/// that it is one of them. Whether Slurm enforces accounts and QOS is not known either.
[[nodiscard]] std::vector<std::string> access_remarks(const PartitionRecord& partition,
                                                      const JobRecord& job);

/// Whether the partition takes the job, unless its QOS or an operator's change overrides a limit.
[[nodiscard]] bool is_within_limits(const PartitionRecord& partition, const JobRecord& job);

/// The refusal of a job for what `detail` says of it.
[[nodiscard]] Refusal refusal_of(const JobRecord& job, std::string detail, bool permanent);

/// The refusal of a job that the partition never takes; of one in the queue, slurmctld's reason has
/// to be that limit.
[[nodiscard]] std::optional<Refusal> refused_by_partition(const PartitionRecord& partition,
                                                          const JobRecord& job);

}  // namespace nvl72block::cli
