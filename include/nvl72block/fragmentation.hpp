// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much of what large jobs could get a state has lost; lower is better.
#pragma once

#include <cstdint>

#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// The score that Slurm's topology/block computes: planning size times the base blocks of every
/// base block and every complete enforced aggregate that is not whole, plus the unavailable nodes
/// in blocks. A base block is whole when it has at least the planning size available.
[[nodiscard]] std::uint32_t fragmentation_stock(const Topology& topology, NodeSetView available);

/// The same idea in usable sizes: nodes of the base blocks and aggregates that are lost to a job
/// of their planning size although the site's nodes would suffice (docs/placement.md).
[[nodiscard]] std::uint32_t fragmentation_usable(const Topology& topology, NodeSetView available);

}  // namespace nvl72block
