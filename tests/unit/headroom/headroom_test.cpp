// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/headroom.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../placement/small_cluster.hpp"

namespace nvl72block {
namespace {

/// Racks of 18 with 0 to 18 free nodes.
testing::SmallCluster uneven_racks() {
    std::vector<std::uint32_t> free;
    for (std::uint32_t rack = 0; rack < 64; ++rack) free.push_back((rack * 7) % 19);
    return {18, "18,144", free};
}

TEST(Headroom, ANumberIsALowerBoundWhereTheSearchLimitWasReached) {
    const testing::SmallCluster cluster = uneven_racks();
    const FitCount without = segments_that_fit(cluster.topology, cluster.usable, 20, Budget{0});
    const FitCount full = segments_that_fit(cluster.topology, cluster.usable, 20);
    EXPECT_FALSE(without.exact);
    EXPECT_GT(without.count, 0U);
    EXPECT_TRUE(segments_that_fit(cluster.topology, cluster.usable, 9).exact);
    EXPECT_LE(without.count, full.count);
}

TEST(Headroom, ANumberThatAllFreeNodesAddUpToIsExact) {
    const testing::SmallCluster cluster(18, "18,144", std::vector<std::uint32_t>(64, 18));
    const FitCount all = largest_job(cluster.topology, cluster.usable, Budget{0});
    EXPECT_EQ(all.count, cluster.usable.count());
    EXPECT_TRUE(all.exact);
}

TEST(Headroom, CountsTheBlocksOfEachLevel) {
    // whole, broken, incomplete, a hole, with a spare: broken, and with a spare in use: whole
    KnownBlocks known;
    known.sizes = {4, 8, 16};
    known.names = {"b0", "b1", "b2", "", "b4", "b5"};
    const std::vector<std::uint32_t> nodes{4, 4, 3, 0, 5, 5};
    const std::vector<std::uint32_t> free_nodes{4, 3, 3, 0, 3, 4};
    std::vector<NodeIndex> free;
    for (BlockIndex block = 0; block < nodes.size(); ++block)
        for (std::uint32_t i = 0; i < nodes[block]; ++i) {
            if (i < free_nodes[block])
                free.push_back(static_cast<NodeIndex>(known.block_of.size()));
            known.block_of.push_back(block);
        }
    const Topology topology = Topology::of_blocks(known);
    NodeSet set(topology.node_count());
    for (const NodeIndex node : free) set.set(node);
    std::vector<std::string> counts;
    for (const LevelBlocks& level : count_blocks(topology, set))
        counts.push_back(fmt::format("{}: {} of {} whole, {} broken, {} incomplete",
                                     level.block_size, level.whole, level.blocks(), level.broken,
                                     level.incomplete));
    EXPECT_EQ(counts, (std::vector<std::string>{"4: 2 of 5 whole, 2 broken, 1 incomplete",
                                                "8: 0 of 3 whole, 2 broken, 1 incomplete",
                                                "16: 0 of 2 whole, 0 broken, 2 incomplete"}));
}

TEST(Headroom, CountsTheUsualSegmentsThatARackHoldsAndTheLevels) {
    const testing::SmallCluster cluster(18, "18,36", {18, 18});
    EXPECT_EQ(segment_sizes(cluster.topology),
              (std::vector<std::uint32_t>{1, 2, 4, 8, 9, 16, 18, 36}));
    const testing::SmallCluster spares(18, "16,32", {18, 18});
    EXPECT_EQ(segment_sizes(spares.topology),
              (std::vector<std::uint32_t>{1, 2, 4, 8, 9, 16, 18, 32}));
}

}  // namespace
}  // namespace nvl72block
