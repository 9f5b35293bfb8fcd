// SPDX-License-Identifier: GPL-2.0-or-later
//
// What can be wrong with a topology.conf that was read, whatever nodes the cluster has.
#pragma once

#include <string>

#include "nvl72block/diagnostics.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block {

/// "line 3", with the file's name in front where that is not `seen_from`.
[[nodiscard]] std::string location_of(const BlockLine& block, const std::string& seen_from);

/// Appends an error for a name that no block can have.
void check_block_name(const BlockLine& block, Diagnostics& diagnostics);

/// Appends an error for each bad block name, each second block of one name and each bad size.
void check_blocks_and_sizes(const TopologyConfig& config, Diagnostics& diagnostics);

/// Appends an error if there is no block.
void check_any_block(const TopologyConfig& config, Diagnostics& diagnostics);

/// For blocks that come from elsewhere: appends an error for each bad size, and a warning if there
/// are BlockName lines, which then mean nothing.
void check_sizes_alone(const TopologyConfig& config, Diagnostics& diagnostics);

}  // namespace nvl72block
