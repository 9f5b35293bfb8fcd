// SPDX-License-Identifier: GPL-2.0-or-later
//
// The bounds of totals against all sets of nodes of small clusters.
#include "placement/bound/resource_bound.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "../small_cluster.hpp"
#include "placement/counts/decision.hpp"

namespace nvl72block {
namespace {

using testing::SmallCluster;

constexpr std::uint32_t block_nodes = 3;
constexpr std::uint32_t nodes = 12;

/// The fewest nodes of any set that has `total` in one vertex of a level and in `blocks` base
/// blocks; one more than there are if there is none.
std::uint32_t fewest_of_all(const Tally& tally, const std::vector<std::uint32_t>& per_node,
                            std::uint64_t total, std::size_t level, std::uint32_t blocks) {
    std::uint32_t fewest = nodes + 1;
    for (unsigned set = 1; set < 1U << nodes; ++set) {
        std::uint64_t sum = 0;
        unsigned used = 0;
        for (std::uint32_t node = 0; node < nodes; ++node) {
            if ((set >> node & 1U) == 0) continue;
            sum += per_node[node];
            used |= 1U << node / block_nodes;
        }
        if (sum < total || std::popcount(used) > static_cast<int>(blocks)) continue;
        for (std::uint32_t index = 0; index < tally.vertices(level); ++index) {
            unsigned inside = 0;
            for (const BlockIndex block : tally.blocks(level, index)) inside |= 1U << block;
            if ((used & ~inside) == 0)
                fewest = std::min(fewest, static_cast<std::uint32_t>(std::popcount(set)));
        }
    }
    return fewest;
}

TEST(ResourceBound, HoldsWhereSomeNodesHaveTheTotalWhateverWasAskedBefore) {
    std::mt19937 random(36);
    const auto below = [&](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    for (int trial = 0; trial < 60; ++trial) {
        const SmallCluster cluster(block_nodes, "3,6", {3, 3, 3, 3});
        std::vector<std::uint32_t> per_node(nodes);
        for (std::uint32_t& value : per_node) value = below(4) == 0 ? 0 : below(9);
        const std::uint64_t total = 1 + below(50);
        Effort effort;
        const State state = cluster.state();
        const Decision decision(cluster.topology, {}, state, effort);
        const Tally& tally = decision.tally();
        const ResourceBound bound(tally, state, per_node, total);
        for (std::size_t level = 0; level <= tally.whole_level(); ++level)
            for (const std::uint32_t blocks : {1U, 2U, 4U}) {
                const std::uint32_t fewest = fewest_of_all(tally, per_node, total, level, blocks);
                for (int asked = 0; asked < 24; ++asked) {
                    Problem problem;
                    problem.scope_level = level;
                    problem.max_base_blocks = blocks;
                    problem.units = problem.nodes = 1 + below(nodes);
                    std::uint64_t steps = 0;
                    const bool holds = bound.may_hold(problem, true, steps);
                    const std::string at = fmt::format("trial {}, level {}, {} blocks, {} nodes",
                                                       trial, level, blocks, problem.nodes);
                    EXPECT_TRUE(holds || problem.nodes < fewest) << at;
                    // Exact where base blocks are not limited.
                    EXPECT_TRUE(!holds || blocks < 4 || problem.nodes >= fewest) << at;
                    const ResourceBound fresh(tally, state, per_node, total);
                    EXPECT_EQ(fresh.may_hold(problem, true, steps), holds) << at;
                }
            }
    }
}

}  // namespace
}  // namespace nvl72block
