// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which block each node belongs to, with what is wrong in the Nodes= texts.
#pragma once

#include <vector>

#include "nvl72block/diagnostics.hpp"
#include "nvl72block/topology.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block {

/// The block of each of `node_count` nodes. Appends an error for each Nodes= text that cannot be
/// resolved, and for each pair of blocks that share nodes.
[[nodiscard]] std::vector<BlockIndex> find_node_owners(const TopologyConfig& config,
                                                       std::size_t node_count,
                                                       const NodeResolver& resolve,
                                                       Diagnostics& diagnostics);

}  // namespace nvl72block
