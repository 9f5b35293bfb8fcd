// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much of what large jobs could get a state has lost; lower is better. Both scores are in
// nodes, saturate at 2^32 - 1, allocate nothing and cost O(nodes / 64 + blocks * levels) where
// blocks are runs of neighbouring nodes; a scattered block costs a step for each of its ranges.
#pragma once

#include <cstdint>

#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// The score that Slurm's topology/block computes: planning size times the base blocks of every
/// base block and every complete enforced aggregate that is not whole, plus the unavailable nodes
/// in blocks. A base block is whole when it has at least the planning size available.
///
/// As in Slurm, the incomplete aggregate at the end of a level counts in full when it has a base
/// block that is not whole and the complete aggregate before it is whole.
[[nodiscard]] std::uint32_t fragmentation_stock(const Topology& topology, NodeSetView available);

/// The same idea in usable sizes: what a job of a listed size can no longer get.
///
///     sum over base blocks i:   u(i) - min(u(i), a(i))           u(i) = min(b, r(i))
///   + sum over levels j:        size of j * blocks of j that are attainable and not whole
///
/// b is the planning size, r(i) the nodes that base block i has, a(i) those of them available. A
/// base block is attainable when r(i) >= b and whole when a(i) >= b; a block of a higher level is
/// either when it has all its 2^e base blocks and each of them is. So spares beyond the planning
/// size neither count as lost nor hide a loss, and a block that the cluster never had the nodes for
/// is not held against any state.
///
/// 0 exactly when every base block has its u(i) available; never falls when a node becomes
/// unavailable; at most the sum of u(i) plus the sizes of all attainable blocks. Equals
/// fragmentation_stock where every block has exactly b nodes and every aggregate is complete.
[[nodiscard]] std::uint32_t fragmentation_usable(const Topology& topology, NodeSetView available);

}  // namespace nvl72block
