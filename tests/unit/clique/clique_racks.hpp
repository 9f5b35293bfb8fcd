// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small clusters with cliques for tests: blocks of nodes n0, n1, … and one feature text a range.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../placement/small_cluster.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block::testing {

inline const std::string uuid_a = "b78ed242-7b98-426f-b194-b76b8899f4ea";
inline const std::string uuid_b = "b78ed242-7b98-426f-b194-b76b8899f4eb";
inline const std::string uuid_c = "b78ed242-7b98-426f-b194-b76b8899f4ec";
inline const std::string zero_uuid = "00000000-0000-0000-0000-000000000000";

/// The nodes' features, in order: `count` nodes have the text each.
using FeatureRuns = std::vector<std::pair<std::uint32_t, std::string>>;

inline CliqueMap clique_map(const FeatureRuns& runs) {
    std::size_t count = 0;
    for (const auto& run : runs) count += run.first;
    CliqueMap map(count);
    NodeIndex node = 0;
    for (const auto& [nodes, features] : runs)
        for (std::uint32_t i = 0; i < nodes; ++i) map.set(node++, read_clique(features));
    return map;
}

/// `blocks` blocks b0, b1, … of `block_nodes` nodes n0, n1, … and `outside` more in none.
inline Topology racks(std::uint32_t block_nodes, std::uint32_t blocks, std::uint32_t outside = 0) {
    return SmallCluster::make(block_nodes, std::to_string(block_nodes), blocks, outside);
}

}  // namespace nvl72block::testing
