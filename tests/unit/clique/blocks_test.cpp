// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clique_racks.hpp"

namespace nvl72block {
namespace {

using testing::clique_map;
using ::testing::ElementsAre;
using testing::uuid_a;
using testing::uuid_b;
using testing::uuid_c;

TEST(BlocksOfCliques, InTheOrderOfTheLowestNode) {
    const CliqueBlocks blocks = blocks_of_cliques(clique_map(
        {{2, uuid_c + ".32766"}, {1, ""}, {2, uuid_a + ".32766"}, {1, uuid_c + ".32766"}}));
    EXPECT_THAT(blocks.names, ElementsAre(uuid_c + ".32766", uuid_a + ".32766"));
    EXPECT_THAT(blocks.block_of, ElementsAre(0, 0, no_block, 1, 1, 0));
    EXPECT_EQ(blocks.usual_size, 3U) << "the larger one of two equally frequent sizes";
}

TEST(BlocksOfCliques, AnotherRackRenamesNothing) {
    const auto with =
        blocks_of_cliques(clique_map({{1, uuid_a + ".1"}, {1, uuid_b + ".1"}, {1, uuid_c + ".1"}}));
    const auto without = blocks_of_cliques(clique_map({{1, uuid_a + ".1"}, {1, uuid_c + ".1"}}));
    EXPECT_THAT(with.names, ElementsAre(uuid_a + ".1", uuid_b + ".1", uuid_c + ".1"));
    EXPECT_THAT(without.names, ElementsAre(uuid_a + ".1", uuid_c + ".1"));
}

TEST(BlocksOfCliques, TheUsualSizeIsTheMostFrequent) {
    const auto blocks = blocks_of_cliques(clique_map(
        {{1, uuid_a + ".1"}, {2, uuid_a + ".2"}, {2, uuid_b + ".2"}, {5, uuid_c + ".2"}}));
    EXPECT_EQ(blocks.usual_size, 2U);
}

TEST(BlocksOfCliques, NoCliquesNoBlocks) {
    const auto blocks = blocks_of_cliques(clique_map({{2, "gpu"}, {1, "CliqueId_1"}}));
    EXPECT_TRUE(blocks.names.empty());
    EXPECT_THAT(blocks.block_of, ElementsAre(no_block, no_block, no_block));
    EXPECT_EQ(blocks.usual_size, 0U);
}

}  // namespace
}  // namespace nvl72block
