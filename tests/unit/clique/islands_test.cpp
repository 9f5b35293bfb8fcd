// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "clique_site.hpp"

namespace nvl72block {
namespace {

using testing::clique_map;
using testing::FeatureRuns;
using testing::racks;
using testing::uuid_a;
using testing::uuid_b;
using testing::uuid_c;

/// "00-1 11": the islands of the nodes of each block, '-' for none, '.' behind the last block.
std::string islands_text(std::uint32_t block_nodes, std::uint32_t blocks, const FeatureRuns& runs,
                         std::uint32_t outside = 0) {
    const Topology topology = racks(block_nodes, blocks, outside);
    const Topology joined = topology.with_islands(islands_of(topology, clique_map(runs)));
    const Islands& islands = *joined.islands();
    std::string text;
    for (BlockIndex block = 0; block < blocks; ++block) {
        std::uint32_t highest = 0;
        for (NodeIndex node = block * block_nodes; node < (block + 1) * block_nodes; ++node) {
            const std::uint32_t island = islands.island_of[node];
            text += island == no_island ? std::string("-") : std::to_string(island);
            EXPECT_EQ(islands.without_island.test(node), island == no_island);
            if (island != no_island) highest = std::max(highest, island + 1);
        }
        EXPECT_EQ(islands.island_count[block], highest) << "block " << block;
        text += ' ';
    }
    for (NodeIndex node = block_nodes * blocks; node < topology.node_count(); ++node)
        EXPECT_TRUE(islands.island_of[node] == no_island && !islands.without_island.test(node));
    text.pop_back();
    return text;
}

TEST(Islands, ABlockWithoutCliquesIsOneIsland) {
    EXPECT_EQ(islands_text(3, 2, {{3, ""}, {3, uuid_a + ".1"}}), "000 000");
    EXPECT_EQ(islands_text(3, 1, {{1, ""}, {2, "CliqueId_1"}}), "000")
        << "invalid features say nothing of where the node is";
}

TEST(Islands, ACarvedBlockIsSeveralIslands) {
    EXPECT_EQ(islands_text(4, 2, {{2, uuid_a + ".1"}, {2, uuid_a + ".2"}, {4, uuid_b + ".1"}}),
              "0011 0000");
    EXPECT_EQ(
        islands_text(
            4, 1, {{1, uuid_a + ".2"}, {1, uuid_a + ".1"}, {1, uuid_a + ".2"}, {1, uuid_a + ".1"}}),
        "0101")
        << "numbered by the lowest node";
}

TEST(Islands, NodesWithoutACliqueAmongOthersHaveNoIsland) {
    EXPECT_EQ(islands_text(4, 1, {{2, uuid_a + ".1"}, {1, ""}, {1, uuid_a + ".x"}}), "00--");
}

TEST(Islands, SwappedCablesContradictTheirBlock) {
    EXPECT_EQ(
        islands_text(
            4, 2, {{3, uuid_a + ".1"}, {1, uuid_b + ".1"}, {1, uuid_a + ".1"}, {3, uuid_b + ".1"}}),
        "000- -000");
}

TEST(Islands, AnEvenlySplitCliqueContradictsNothing) {
    EXPECT_EQ(islands_text(2, 2, {{4, uuid_a + ".1"}}), "00 00");
    EXPECT_EQ(
        islands_text(
            4, 2, {{2, uuid_a + ".1"}, {2, uuid_b + ".1"}, {2, uuid_a + ".1"}, {2, uuid_b + ".1"}}),
        "0011 0011");
}

TEST(Islands, TheMostFrequentCliqueOfABlockStays) {
    // a has more nodes in b0, but b1 has nothing more frequent than it.
    EXPECT_EQ(
        islands_text(
            4, 2, {{4, uuid_a + ".1"}, {2, uuid_a + ".1"}, {1, uuid_b + ".1"}, {1, uuid_c + ".1"}}),
        "0000 0012");
}

TEST(Islands, NodesInNoBlockHaveNoIsland) {
    EXPECT_EQ(islands_text(2, 1, {{4, uuid_a + ".1"}}, 2), "00");
}

}  // namespace
}  // namespace nvl72block
