// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/state/parse.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

TEST(ParseBlocks, ReadsBlocksAndSizes) {
    Notes notes;
    const TopologyConfig config = parse_blocks(four_racks, notes);
    ASSERT_EQ(config.blocks.size(), 4U);
    EXPECT_EQ(config.blocks[2].name, "r3");
    EXPECT_EQ(config.blocks[2].nodes, "n[09-12]");
    EXPECT_EQ(config.block_sizes, (std::vector<std::uint32_t>{4, 8, 16}));
    EXPECT_TRUE(notes.remarks().empty());
}

TEST(ParseBlocks, AJumpOfTheIndexIsAHole) {
    Notes notes;
    const TopologyConfig config = parse_blocks(
        "BlockName=r1 BlockIndex=0 Nodes=n[1-4] BlockSize=4\n"
        "BlockName=r3 BlockIndex=2 Nodes=n[5-8] BlockSize=4\n",
        notes);
    ASSERT_EQ(config.blocks.size(), 3U);
    EXPECT_TRUE(config.blocks[1].hole);
    EXPECT_EQ(config.blocks[2].name, "r3");
}

TEST(ParseBlocks, AnotherTopologyHasNone) {
    Notes notes;
    EXPECT_TRUE(
        parse_blocks("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-2]\n", notes).blocks.empty());
    EXPECT_EQ(notes.remarks().size(), 1U);
}

}  // namespace
}  // namespace nvl72block::cli
