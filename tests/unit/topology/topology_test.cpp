// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/topology.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../node_set/dice.hpp"
#include "test_node_table.hpp"

namespace nvl72block {
namespace {

using testing::ElementsAre;

TEST(TopologyBuild, RefusesWithFileLineAndRemedy) {
    const struct {
        std::string_view text;
        std::string_view message;
    } cases[] = {
        {"BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[4-8]",
         "topology.conf:2: n4 is in block b2 (line 2) and in block b1 (line 1); keep each node in "
         "one block"},
        {"BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[3-8]",
         "topology.conf:2: n[3-4] are in block b2 (line 2) and in block b1 (line 1); keep each "
         "node in one block"},
        {"BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-9]",
         "topology.conf:2: BlockName=b2 Nodes=n[5-9]: unknown node n9; correct the name, or define "
         "the node in slurm.conf"},
        {"BlockName=b1 Nodes=n[1-4",
         "topology.conf:1: BlockName=b1 Nodes=n[1-4: 'n[1-4': '[' without ']'; correct the name, "
         "or define the node in slurm.conf"},
        {"BlockName=b1\nBlockName=b2",
         "topology.conf: no block has nodes, and without BlockSizes their size is unknown; write "
         "BlockSizes=, or Nodes= for the blocks"},
    };
    TestNodeTable table("n[1-8]");
    for (const auto& [text, message] : cases) {
        EXPECT_FALSE(table.read(text));
        EXPECT_THAT(table.messages(), ElementsAre(message));
    }
}

/// Blocks that all have the nodes of `text`.
TopologyConfig same_nodes(std::size_t blocks, const std::string& text) {
    TopologyConfig config;
    config.file = "topology.conf";
    for (unsigned block = 1; block <= blocks; ++block)
        config.blocks.push_back({fmt::format("b{}", block), text, "topology.conf", block});
    return config;
}

// A million blocks that share nodes made 204 MB of log in slurmctld, and a question for each name.
TEST(TopologyBuild, OfManyBlocksThatShareNodesTheFirstAreTold) {
    std::size_t questions = 0;
    const NodeResolver resolve = [&](std::string_view, std::vector<NodeIndex>& nodes,
                                     std::string&) {
        ++questions;
        nodes.push_back(0);
        return true;
    };
    Diagnostics found;
    EXPECT_FALSE(Topology::build(same_nodes(1000, "n1"), 1, resolve, found));
    ASSERT_EQ(found.size(), Diagnostics::most + 1);
    EXPECT_EQ(found.back().message, "799 more errors are not shown");
    // a block's list, and of those that are told each name
    EXPECT_EQ(questions, 1000 + Diagnostics::most);
}

// Slurm's reader has no limit: each line would be expanded.
TEST(TopologyBuild, NoMoreNamesAreResolvedThanAClusterHas) {
    std::size_t questions = 0;
    const NodeResolver resolve = [&](std::string_view, std::vector<NodeIndex>&, std::string&) {
        ++questions;
        return true;
    };
    Diagnostics found;
    EXPECT_FALSE(Topology::build(same_nodes(1000, "n[1-100000]"), 1, resolve, found));
    EXPECT_EQ(questions, 3U);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(to_string(found[0]),
              "topology.conf:4: the Nodes= values up to this line have more than 262144 names; "
              "nothing after it is checked; keep each node in one block");
    found.clear();
    EXPECT_FALSE(
        Topology::build(same_nodes(1, "n[0-9][0-9][0-9][0-9][0-9][0-9]"), 1, resolve, found));
    EXPECT_EQ(questions, 3U);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].message, testing::HasSubstr("the list has more than 262144 names"));
}

// ALL, node sets and features stand for more nodes than names.
TEST(TopologyBuild, NodesOfASetCountAsNames) {
    const NodeResolver resolve = [](std::string_view, std::vector<NodeIndex>& nodes, std::string&) {
        for (NodeIndex node = 0; node < 100000; ++node) nodes.push_back(node);
        return true;
    };
    Diagnostics found;
    EXPECT_FALSE(Topology::build(same_nodes(1000, "ALL"), 100000, resolve, found));
    EXPECT_THAT(to_string(found.back()), testing::StartsWith("topology.conf:4: the Nodes= values"));
}

TEST(TopologyBuild, ChecksAConfigThatNoFileGave) {
    const TestNodeTable table("n[1-8]");
    TopologyConfig config;
    config.file = "site";
    Diagnostics diagnostics;
    EXPECT_FALSE(table.build(config, diagnostics));
    config.blocks = {{"b1", "n1", "site", 1}, {"b1", "n2", "site", 2}};
    config.block_sizes = {4, 0};
    config.block_sizes_line = 3;
    EXPECT_FALSE(table.build(config, diagnostics));
    config.blocks.pop_back();
    config.block_sizes = {0, 4};
    EXPECT_FALSE(table.build(config, diagnostics));
    std::vector<std::string> messages;
    for (const Diagnostic& diagnostic : diagnostics) messages.push_back(to_string(diagnostic));
    EXPECT_THAT(
        messages,
        ElementsAre(testing::StartsWith("site: no BlockName line"),
                    testing::StartsWith("site:2: BlockName=b1 is already on line 1"),
                    testing::StartsWith("site:3: BlockSizes=4,0: a block cannot have 0 nodes"),
                    testing::StartsWith("site:3: BlockSizes=0,4: a block cannot have 0 nodes")));
}

TEST(TopologyBuild, ReportsEverythingAtOnce) {
    TestNodeTable table("n[1-8]");
    EXPECT_FALSE(
        table.read("BlockName=b1 Nodes=n[1-4]\n"
                   "BlockName=b2 Nodes=n9\n"
                   "BlockName=b3 Nodes=n[2,5-6]\n"
                   "BlockName=b4 Nodes=n[1,6,3]\n"));
    EXPECT_THAT(table.messages(),
                ElementsAre(testing::HasSubstr("unknown node n9"),
                            testing::HasSubstr("n2 is in block b3 (line 3) and in block b1"),
                            testing::HasSubstr("n[1,3] are in block b4 (line 4) and in block b1"),
                            testing::HasSubstr("n6 is in block b4 (line 4) and in block b3")));
}

TEST(TopologyBuild, NodesWithoutNamesAreCounted) {
    // A node set: only the resolver knows what it holds.
    const NodeResolver resolve = [](std::string_view, std::vector<NodeIndex>& nodes, std::string&) {
        nodes = {1, 0};
        return true;
    };
    TopologyConfig config{"f", {{"b1", "set1", "f", 1}, {"b2", "set2", "f", 2}}, {}, 0, ""};
    Diagnostics diagnostics;
    EXPECT_FALSE(Topology::build(config, 4, resolve, diagnostics));
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].message, "2 nodes are in block b2 (line 2) and in block b1 (line 1)");
}

TEST(TopologyBuild, AcceptsGapsSparesAndRepetitions) {
    TestNodeTable table("n[1-12]");
    const auto topology = table.read(
        "BlockName=empty\nBlockName=gap Nodes=n1\nBlockName=spare Nodes=n[3-8],n[3-4]\n"
        "BlockName=plain Nodes=n[9-12]\nBlockSizes=4,16,4");
    ASSERT_TRUE(topology) << testing::PrintToString(table.messages());
    EXPECT_THAT(table.messages(), ElementsAre());
    EXPECT_EQ(topology->planning_size(), 4U);
    EXPECT_EQ(topology->block_count(), 4U);
    EXPECT_EQ(topology->block_nodes(0), 0U);
    EXPECT_EQ(topology->block_nodes(1), 1U);
    EXPECT_EQ(topology->block_nodes(2), 6U);
    EXPECT_TRUE(topology->ranges(0).empty());
    EXPECT_EQ(topology->block_of(table.index("n2")), no_block);
    EXPECT_EQ(topology->block_of(table.index("n9")), 3U);
    EXPECT_EQ(topology->find_block("spare"), 2U);
    EXPECT_EQ(topology->find_block("Spare"), no_block);
}

std::string spell_levels(const Topology& topology) {
    std::string out;
    for (const Level& level : topology.levels())
        out += fmt::format("{}{}:{}x{}", out.empty() ? "" : " ", level.exponent, level.nodes,
                           level.aggregates);
    return out;
}

std::string blocks_of_four(unsigned count) {
    std::string text;
    for (unsigned block = 0; block < count; ++block)
        text += fmt::format("BlockName=b{} Nodes=n[{}-{}]\n", block + 1, 4 * block, 4 * block + 3);
    return text;
}

TEST(TopologyLevels, AreTheListedSizesUpToTheWholeCluster) {
    const struct {
        unsigned blocks;
        std::string_view sizes;
        std::string_view levels;  // exponent:nodes x aggregates
    } cases[] = {
        {1, "", "0:4x1"},
        {2, "", "0:4x2 1:8x1"},
        {3, "", "0:4x3 1:8x2 2:16x1"},
        {8, "", "0:4x8 1:8x4 2:16x2 3:32x1"},
        {17, "", "0:4x17 1:8x9 2:16x5 3:32x3 4:64x2"},
        {40, "", "0:4x40 1:8x20 2:16x10 3:32x5 4:64x3"},
        {8, "BlockSizes=4", "0:4x8"},
        {8, "BlockSizes=4,16", "0:4x8 2:16x2"},
        {8, "BlockSizes=4,16,8", "0:4x8 1:8x4 2:16x2"},
        {8, "BlockSizes=4,4,16,16", "0:4x8 2:16x2"},
        {3, "BlockSizes=4,64", "0:4x3 4:64x1"},
        {3, "BlockSizes=4,32,64,131072", "0:4x3 3:32x1"},
        {8, "BlockSizes=3,6", "0:3x8 1:6x4"},
        {8, "BlockSizes=18,36", "0:18x8 1:36x4"},
    };
    TestNodeTable table("n[0-159]");
    for (const auto& [blocks, sizes, levels] : cases) {
        const auto topology = table.read(blocks_of_four(blocks) + std::string(sizes));
        ASSERT_TRUE(topology) << testing::PrintToString(table.messages());
        EXPECT_EQ(spell_levels(*topology), levels) << blocks << ' ' << sizes;
    }
}

TEST(TopologyLevels, SizesThatNoBlockReachesAreANote) {
    TestNodeTable table("n[0-11]");
    ASSERT_TRUE(table.read(blocks_of_four(3) + "BlockSizes=4,16,32"));
    ASSERT_EQ(table.diagnostics().size(), 1U);
    EXPECT_EQ(table.diagnostics()[0].severity, Severity::note);
    EXPECT_EQ(
        table.messages()[0],
        "topology.conf:4: BlockSizes: no block of 32 nodes can be formed, 3 base blocks fit into "
        "one of 16; it takes effect when the cluster has more blocks");
}

TEST(TopologyLevels, BoundsNamesAndListingOfAggregates) {
    TestNodeTable table("n[0-27]");
    const auto topology = table.read(blocks_of_four(7) + "BlockSizes=4,8,16,32");
    ASSERT_TRUE(topology);
    std::vector<std::string> listed;
    for (std::size_t level = 1; level < topology->levels().size(); ++level) {
        for (std::uint32_t i = 0; i < topology->levels()[level].aggregates; ++i) {
            EXPECT_EQ(topology->first_block(level, i), i << topology->levels()[level].exponent);
            if (topology->is_listed(level, i)) listed.push_back(topology->aggregate_name(level, i));
        }
    }
    // The last block of 8 joins b7 alone and is left out; that of 16 joins three and stays.
    EXPECT_THAT(listed, ElementsAre("b[1-2]", "b[3-4]", "b[5-6]", "b[1-4]", "b[5-7]", "b[1-7]"));
    EXPECT_EQ(topology->last_block(2, 1), 7U);
    EXPECT_EQ(topology->aggregate_name(0, 6), "b7");
    EXPECT_TRUE(topology->is_listed(0, 6));
}

/// Ranges ascend, do not touch, and hold exactly the block's nodes.
void expect_consistent(const Topology& topology) {
    std::vector<std::uint32_t> nodes(topology.block_count());
    for (NodeIndex node = 0; node < topology.node_count(); ++node)
        if (topology.block_of(node) != no_block) ++nodes[topology.block_of(node)];
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        ASSERT_EQ(topology.block_nodes(block), nodes[block]);
        std::uint32_t seen = 0;
        NodeIndex last_end = 0;
        for (const NodeRange& range : topology.ranges(block)) {
            ASSERT_LT(range.begin, range.end);
            if (seen != 0) {
                ASSERT_GT(range.begin, last_end);
            }
            last_end = range.end;
            for (NodeIndex node = range.begin; node < range.end; ++node, ++seen)
                ASSERT_EQ(topology.block_of(node), block);
        }
        ASSERT_EQ(seen, nodes[block]);
    }
}

bool same(const Topology& a, const Topology& b) {
    if (a.block_count() != b.block_count() || a.node_count() != b.node_count()) return false;
    for (NodeIndex node = 0; node < a.node_count(); ++node)
        if (a.block_of(node) != b.block_of(node)) return false;
    return spell_levels(a) == spell_levels(b);
}

TEST(TopologyChange, MovesOneNodeAndLeavesTheRest) {
    TestNodeTable table("n[0-11]");
    const auto before = table.read(blocks_of_four(2) + "BlockSizes=4,8");
    ASSERT_TRUE(before);
    const Topology moved = before->with_node_in(1, 1);
    EXPECT_EQ(moved.block_of(1), 1U);
    EXPECT_EQ(before->block_of(1), 0U);
    EXPECT_EQ(moved.block_nodes(0), 3U);
    EXPECT_EQ(moved.block_nodes(1), 5U);
    expect_consistent(moved);
    EXPECT_TRUE(same(moved.with_node_in(1, 0), *before));
    EXPECT_EQ(moved.with_node_in(1, no_block).block_nodes(1), 4U);
    EXPECT_EQ(before->with_node_in(8, 0).block_nodes(0), 5U);
}

// SchedMD/slurm #225: stock drops a node that is assigned to the block it is in.
TEST(TopologyChange, ReassertingABlockChangesNothing) {
    TestNodeTable table("n[0-11]");
    const auto before = table.read(blocks_of_four(2) + "BlockSizes=4,8");
    ASSERT_TRUE(before);
    for (NodeIndex node = 0; node < 12; ++node) {
        const Topology after = before->with_node_in(node, before->block_of(node));
        EXPECT_TRUE(same(after, *before)) << node;
        expect_consistent(after);
    }
}

TEST(TopologyChange, NewBlockBringsItsLevelIntoForce) {
    TestNodeTable table("n[0-11]");
    const auto before = table.read(blocks_of_four(2) + "BlockSizes=4,8,16");
    ASSERT_TRUE(before);
    EXPECT_EQ(spell_levels(*before), "0:4x2 1:8x1");
    const Topology after = before->with_block("b3");
    EXPECT_EQ(spell_levels(after), "0:4x3 1:8x2 2:16x1");
    EXPECT_EQ(after.find_block("b3"), 2U);
    EXPECT_EQ(after.block_nodes(2), 0U);
    EXPECT_EQ(after.block_nodes(1), 4U);
    EXPECT_EQ(after.with_node_in(9, 2).block_nodes(2), 1U);
}

TEST(TopologyChange, AnyOrderOfMovesStaysConsistent) {
    TestNodeTable table("n[0-199]");
    auto topology = table.read(blocks_of_four(7) + "BlockSizes=4,8");
    ASSERT_TRUE(topology);
    Dice dice(225);
    for (int move = 0; move < 2000; ++move) {
        const NodeIndex node = dice.below(200);
        const BlockIndex block = dice.below(8) == 7 ? no_block : dice.below(7);
        topology = topology->with_node_in(node, block);
        ASSERT_EQ(topology->block_of(node), block);
        expect_consistent(*topology);
    }
}

TEST(TopologyCount, CountsAndVisitsMembersOfScatteredBlocks) {
    TestNodeTable table("n[0-255]");
    std::string odd = "n1";
    for (int node = 3; node < 256; node += 2) odd += fmt::format(",n{}", node);
    const auto topology =
        table.read("BlockName=odd Nodes=" + odd + "\nBlockName=rest Nodes=n[2,4]");
    ASSERT_TRUE(topology);
    expect_consistent(*topology);
    EXPECT_EQ(topology->planning_size(), 128U);
    NodeSet set(256);
    for (const NodeIndex node : {0U, 1U, 2U, 63U, 64U, 65U, 255U}) set.set(node);
    EXPECT_EQ(topology->count(0, set), 4U);
    EXPECT_EQ(topology->count(1, set), 1U);
    std::vector<NodeIndex> seen;
    topology->for_each(0, set, [&](NodeIndex node) { seen.push_back(node); });
    EXPECT_THAT(seen, ElementsAre(1U, 63U, 65U, 255U));
}

/// place() divided by it.
TEST(TopologyOfBlocks, APlanningSizeOfZeroIsRefused) {
    KnownBlocks blocks{{"b"}, {0, 0}, {}, 0};
    EXPECT_THROW((void)Topology::of_blocks(blocks), std::invalid_argument);
    blocks.default_size = 2;
    EXPECT_EQ(Topology::of_blocks(blocks).planning_size(), 2U);
}

}  // namespace
}  // namespace nvl72block
