// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a node does and whether a job may be put on it, by the words of its state. The plugin's
// drained_nodes.c asks the same of Slurm's records.
#pragma once

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// Whether a job may be put on the node at all: not down, drained, failing or about to go away. A
/// node that waits for a reboot is used until Slurm reboots it.
[[nodiscard]] bool in_service(const NodeRecord& node);
/// Whether jobs have it, in whole or in part.
[[nodiscard]] bool runs_job(const NodeRecord& node);
/// Whether jobs have it, in whole or in part, or keep others away from it (--exclusive=topo).
[[nodiscard]] bool has_job(const NodeRecord& node);
/// Whether it is in service and no job has it, although it may be reserved or kept by one.
[[nodiscard]] bool is_idle(const NodeRecord& node);
/// Whether a job of whole nodes could start on it now.
[[nodiscard]] bool is_free(const NodeRecord& node);

/// The node's weight as slurmctld heeds it: nodes that have to boot come last.
[[nodiscard]] std::uint64_t scheduling_weight(const NodeRecord& node);

/// Whether the job has nodes: it runs, is suspended, or is about to leave them.
[[nodiscard]] bool holds_nodes(const JobRecord& job);

}  // namespace nvl72block::cli
