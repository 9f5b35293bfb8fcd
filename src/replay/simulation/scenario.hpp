// SPDX-License-Identifier: GPL-2.0-or-later
//
// The cluster of a replay: equal racks, one base block each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nvl72block/diagnostics.hpp"
#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block::replay {

struct ClusterOptions {
    std::uint32_t racks = 0;
    std::uint32_t nodes_per_rack = 18;
    /// As BlockSizes=; empty: the rack and its doublings as far as the cluster reaches.
    std::vector<std::uint32_t> block_sizes;
    double unavailable = 0;  ///< share of the nodes that is out of service all the time
    std::uint64_t seed = 1;  ///< chooses them
};

/// nullopt with findings if the block sizes do not go together.
[[nodiscard]] std::optional<Topology> make_topology(const ClusterOptions& options,
                                                    Diagnostics& diagnostics);

/// All nodes but the unavailable ones.
[[nodiscard]] NodeSet in_service(const ClusterOptions& options);

}  // namespace nvl72block::replay
