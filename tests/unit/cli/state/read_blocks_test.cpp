// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/input/input_error.hpp"
#include "cli/state/readers.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

TopologyConfig read(const std::string& blocks) {
    SnapshotText text;
    text.blocks = blocks;
    return read_blocks(text.document());
}

TEST(ReadBlocks, ReadsBlocksAndSizes) {
    const TopologyConfig config = read(four_racks);
    ASSERT_EQ(config.blocks.size(), 4U);
    EXPECT_EQ(config.blocks[2].name, "r3");
    EXPECT_EQ(config.blocks[2].nodes, "n[09-12]");
    EXPECT_EQ(config.block_sizes, (std::vector<std::uint32_t>{4, 8, 16}));
}

TEST(ReadBlocks, AJumpOfTheIndexIsAHole) {
    const TopologyConfig config =
        read(R"({"name":"r1","nodes":"n[1-4]"},{"name":"r3","index":2,"nodes":"n[5-8]"},)");
    ASSERT_EQ(config.blocks.size(), 3U);
    EXPECT_TRUE(config.blocks[1].hole);
    EXPECT_EQ(config.blocks[2].name, "r3");
}

TEST(ReadBlocks, AnotherTopologyHasNone) {
    EXPECT_TRUE(read("").blocks.empty());
}

TEST(ReadBlocks, WhatSlurmSaidInPlaceOfThem) {
    const Document document(
        R"({"format":2,"topology_error":"nvl72block-records: fatal: no topology.yaml"})", "x");
    try {
        (void)read_blocks(document);
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "scontrol show topology: nvl72block-records: fatal: no topology.yaml; pass a "
                     "topology.conf with --topology FILE");
    }
}

}  // namespace
}  // namespace nvl72block::cli
