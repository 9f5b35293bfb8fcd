// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/fragmentation.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "../node_set/dice.hpp"
#include "../topology/test_node_table.hpp"

namespace nvl72block {
namespace {

std::string blocks(std::span<const unsigned> sizes, std::string_view block_sizes) {
    std::string text;
    unsigned node = 0;
    for (std::size_t block = 0; block < sizes.size(); ++block) {
        text += fmt::format("BlockName=b{}", block);
        if (sizes[block] != 0)
            text += fmt::format(" Nodes=n[{}-{}]", node, node + sizes[block] - 1);
        text += '\n';
        node += sizes[block];
    }
    return text + std::string(block_sizes);
}

Topology build(std::span<const unsigned> sizes, std::string_view block_sizes) {
    TestNodeTable table("n[0-299]");
    auto topology = table.read(blocks(sizes, block_sizes));
    if (!topology) throw std::runtime_error(testing::PrintToString(table.messages()));
    return *topology;
}

NodeSet all_but(std::initializer_list<NodeIndex> missing) {
    NodeSet set(300);
    for (NodeIndex node = 0; node < 300; ++node) set.set(node);
    for (const NodeIndex node : missing) set.reset(node);
    return set;
}

// The vectors of Slurm's own unit test: 8 blocks of 4 nodes.
TEST(FragmentationStock, GivesThePublishedVectors) {
    const std::vector<unsigned> sizes(8, 4);
    const Topology topology = build(sizes, "BlockSizes=4,8,16,32,64");
    EXPECT_EQ(fragmentation_stock(topology, NodeSet(300)), 160U);
    EXPECT_EQ(fragmentation_stock(topology, NodeSetView()), 160U);
    EXPECT_EQ(fragmentation_stock(topology, all_but({})), 0U);
    EXPECT_EQ(fragmentation_stock(topology, all_but({0})), 61U);
    EXPECT_EQ(fragmentation_stock(topology, all_but({0, 1, 2})), 63U);
    EXPECT_EQ(fragmentation_stock(topology, all_but({0, 1, 2, 31})), 92U);
}

TEST(FragmentationStock, SparesCountAsUnavailableNodes) {
    const std::vector<unsigned> sizes(2, 6);
    const Topology topology = build(sizes, "BlockSizes=4,8");
    EXPECT_EQ(fragmentation_stock(topology, all_but({0, 1})), 2U);
    EXPECT_EQ(fragmentation_stock(topology, all_but({0, 1, 2})), 4U + 8 + 3);
}

TEST(FragmentationStock, GapsAreNeverWhole) {
    const std::vector<unsigned> sizes = {4, 3};
    EXPECT_EQ(fragmentation_stock(build(sizes, "BlockSizes=4,8"), all_but({})), 4U + 8);
}

TEST(FragmentationStock, IncompleteAggregateCountsAfterAWholeOne) {
    const std::vector<unsigned> sizes(3, 4);
    const Topology topology = build(sizes, "BlockSizes=4,8");
    EXPECT_EQ(fragmentation_stock(topology, all_but({8})), 4U + 8 + 1);
    EXPECT_EQ(fragmentation_stock(topology, all_but({0, 8})), 4U + 8 + 4 + 2);
}

TEST(FragmentationUsable, SparesNeitherCountAsLostNorHideALoss) {
    const std::vector<unsigned> sizes(2, 18);
    const Topology topology = build(sizes, "BlockSizes=16,32");
    EXPECT_EQ(fragmentation_usable(topology, all_but({})), 0U);
    EXPECT_EQ(fragmentation_usable(topology, all_but({0, 1, 20, 21})), 0U);
    EXPECT_EQ(fragmentation_usable(topology, all_but({0, 1, 2})), 1U + 16 + 32);
    EXPECT_EQ(fragmentation_usable(topology, NodeSet(300)), 2U * (16 + 16) + 32);
}

TEST(FragmentationUsable, WhatTheSiteNeverHadIsNotHeldAgainstIt) {
    const std::vector<unsigned> sizes = {4, 4, 3, 4, 0, 4};
    const Topology topology = build(sizes, "BlockSizes=4,8");
    EXPECT_EQ(fragmentation_usable(topology, all_but({})), 0U);
    // The gap loses a node, but no block of 4 or 8.
    EXPECT_EQ(fragmentation_usable(topology, all_but({8})), 1U);
    // The fourth block is lost; its pair could never have been whole.
    EXPECT_EQ(fragmentation_usable(topology, all_but({11})), 1U + 4);
    EXPECT_EQ(fragmentation_usable(topology, all_but({0})), 1U + 4 + 8);
}

/// A cluster of random blocks: plain ones only, or with spares, gaps and empty blocks.
struct RandomCluster {
    std::vector<unsigned> sizes;
    Topology topology;
};

RandomCluster random_cluster(Dice& dice, bool plain) {
    std::vector<unsigned> sizes(plain ? std::size_t{8} : 1 + dice.below(20), 4);
    if (!plain)
        for (unsigned& size : sizes) size = dice.below(7);
    const char* const listed[] = {"BlockSizes=4", "BlockSizes=4,8", "BlockSizes=4,16,32",
                                  "BlockSizes=4,8,16,32"};
    Topology topology = build(sizes, listed[dice.below(4)]);
    return {std::move(sizes), std::move(topology)};
}

NodeSet random_nodes(Dice& dice) {
    NodeSet set = all_but({});
    const unsigned share = dice.below(10);
    for (NodeIndex node = 0; node < 300; ++node)
        if (dice.below(10) < share) set.reset(node);
    return set;
}

TEST(FragmentationUsable, NeverFallsWhenANodeIsLost) {
    Dice dice(1);
    for (int round = 0; round < 300; ++round) {
        const RandomCluster cluster = random_cluster(dice, false);
        NodeSet set = all_but({});
        std::vector<NodeIndex> order(300);
        std::iota(order.begin(), order.end(), 0U);
        std::shuffle(order.begin(), order.end(), dice.engine());
        std::uint32_t last = fragmentation_usable(cluster.topology, set);
        ASSERT_EQ(last, 0U);
        for (const NodeIndex node : order) {
            set.reset(node);
            const std::uint32_t score = fragmentation_usable(cluster.topology, set);
            ASSERT_GE(score, last);
            last = score;
        }
    }
}

TEST(FragmentationUsable, IsZeroExactlyWhenEveryBlockOffersWhatItCan) {
    Dice dice(2);
    for (int round = 0; round < 2000; ++round) {
        const RandomCluster cluster = random_cluster(dice, false);
        const NodeSet set = random_nodes(dice);
        bool offers_all = true;
        for (BlockIndex block = 0; block < cluster.topology.block_count(); ++block)
            offers_all &= cluster.topology.count(block, set) >= std::min(4U, cluster.sizes[block]);
        ASSERT_EQ(fragmentation_usable(cluster.topology, set) == 0, offers_all);
    }
}

TEST(FragmentationUsable, StaysBelowItsBound) {
    Dice dice(3);
    for (int round = 0; round < 500; ++round) {
        const RandomCluster cluster = random_cluster(dice, false);
        std::uint32_t bound = 0;
        for (const unsigned size : cluster.sizes) bound += std::min(4U, size);
        for (const Level& level : cluster.topology.levels())
            bound += level.nodes * (cluster.topology.block_count() >> level.exponent);
        ASSERT_LE(fragmentation_usable(cluster.topology, NodeSet(300)), bound);
    }
}

TEST(FragmentationUsable, EqualsStockWithoutSparesAndGaps) {
    Dice dice(4);
    for (int round = 0; round < 2000; ++round) {
        const RandomCluster cluster = random_cluster(dice, true);
        const NodeSet set = random_nodes(dice);
        ASSERT_EQ(fragmentation_usable(cluster.topology, set),
                  fragmentation_stock(cluster.topology, set));
    }
}

}  // namespace
}  // namespace nvl72block
