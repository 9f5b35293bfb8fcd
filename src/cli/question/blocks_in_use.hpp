// SPDX-License-Identifier: GPL-2.0-or-later
//
// Base blocks that are closed to a job: --exclusive=topo shares none with other jobs.
#pragma once

#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block::cli {

/// Removes all nodes of each base block that has a node of `in_use` from `usable`.
void close_blocks(const Topology& topology, NodeSetView in_use, NodeSet& usable);

}  // namespace nvl72block::cli
