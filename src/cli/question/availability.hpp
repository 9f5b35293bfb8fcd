// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which nodes are available to a job before blocks are considered: by node state, partition,
// reservations and features.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/state/cluster_state.hpp"
#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block::cli {

/// Who asks.
struct Viewer {
    const PartitionRecord* partition = nullptr;  ///< null: all nodes
    std::string reservation;                     ///< the job's own; empty for none
    std::optional<std::int64_t> duration;        ///< seconds, at least; nullopt: no limit
};

/// Seconds of a --time (or another `option`) as sbatch takes it; nullopt for "". InputError for
/// what is no time limit.
[[nodiscard]] std::optional<std::int64_t> asked_duration(const std::string& time_limit,
                                                         const char* option = "--time");

/// All nodes that the viewer may look at: of the partition, and of the job's own reservation.
[[nodiscard]] NodeSet visible_nodes(const ClusterState& state, const Viewer& viewer);

/// Every node of the viewer's partition is in exactly one of the first four sets.
struct Availability {
    NodeSet free;
    NodeSet busy;      ///< used by a job, in whole or in part, or held by one (--exclusive=topo)
    NodeSet drained;   ///< out of service
    NodeSet reserved;  ///< free, but in a reservation of others during `duration` from now on
    NodeSet planned;   ///< members of `free` that are planned for a pending job
    NodeSet shared;    ///< members of `busy` with CPUs free
};

[[nodiscard]] Availability availability(const ClusterState& state, const Viewer& viewer);

/// Nodes that reservations of others hold at some time in [from, from + duration), and those of the
/// viewer's own reservation while it has not begun.
[[nodiscard]] NodeSet reserved_nodes(const ClusterState& state, const Viewer& viewer,
                                     SlurmTime from);

/// Nodes that jobs have, or reservations of others now: a job with --exclusive=topo gets none of
/// their base blocks. Nodes out of service, and nodes of other partitions that are idle, do not
/// matter.
[[nodiscard]] NodeSet foreign_nodes(const ClusterState& state, const Viewer& viewer);

/// All nodes of the base blocks that have some of `nodes`: a job with --exclusive=topo has them to
/// itself.
[[nodiscard]] NodeSet whole_blocks(const Topology& topology, NodeSetView nodes);

/// Whether a node with these features meets a --constraint of names joined by & or by |; nullopt
/// for any other expression.
[[nodiscard]] std::optional<bool> meets_constraint(std::string_view features,
                                                   std::string_view constraint);

}  // namespace nvl72block::cli
