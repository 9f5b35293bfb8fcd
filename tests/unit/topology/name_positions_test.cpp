// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/name_positions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_node_table.hpp"

namespace nvl72block {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Named {
    std::vector<std::string> names;  // "" for a hole
    std::vector<std::string> findings;
};

Named by_name(const std::vector<std::string>& names) {
    TopologyConfig config;
    config.file = "topology.conf";
    for (const std::string& name : names) {
        BlockLine line;
        line.name = name;
        line.file = config.file;
        line.line = static_cast<unsigned>(config.blocks.size()) + 1;
        config.blocks.push_back(line);
    }
    Diagnostics diagnostics;
    const bool placed = aggregate_by_name(config, diagnostics);
    EXPECT_EQ(placed, config.naming.has_value());
    Named named;
    for (const BlockLine& line : config.blocks) {
        EXPECT_EQ(line.hole, line.name.empty());
        named.names.push_back(line.name);
    }
    for (const Diagnostic& diagnostic : diagnostics) {
        EXPECT_EQ(diagnostic.severity, Severity::warning);
        named.findings.push_back(to_string(diagnostic));
    }
    return named;
}

TEST(NamePositions, MissingNumbersAreHoles) {
    EXPECT_THAT(by_name({"b01", "b02", "b04", "b05"}).names,
                ElementsAre("b01", "b02", "", "b04", "b05"));
    EXPECT_THAT(by_name({"b3"}).names, ElementsAre("", "", "b3"));
}

TEST(NamePositions, AZeroIsTheFirstPositionWhereThereIsOne) {
    EXPECT_THAT(by_name({"b0", "b2"}).names, ElementsAre("b0", "", "b2"));
}

TEST(NamePositions, TheNumberCountsNotThePosition) {
    const Named named = by_name({"b3", "b1", "b2"});
    EXPECT_THAT(named.names, ElementsAre("b1", "b2", "b3"));
    EXPECT_THAT(named.findings, IsEmpty());
}

TEST(NamePositions, NamesThatDoNotServeStayInOrder) {
    const Named no_number = by_name({"b2", "rack"});
    EXPECT_THAT(no_number.names, ElementsAre("b2", "rack"));
    EXPECT_THAT(no_number.findings,
                ElementsAre("topology.conf:2: BlockName=rack does not end with a number, so the "
                            "blocks are aggregated by position; number the blocks, e.g. block001, "
                            "or aggregate by position"));
    EXPECT_THAT(
        by_name({"b2", "c1"}).findings,
        ElementsAre(
            "topology.conf:2: BlockName=b2 and BlockName=c1 have different prefixes, so the blocks "
            "are aggregated by position; use one prefix for all names, or aggregate by position"));
    EXPECT_THAT(by_name({"b2", "b1", "b02"}).findings,
                ElementsAre("topology.conf:3: BlockName=b2 and BlockName=b02 have the same number, "
                            "so the blocks are aggregated by position; number each block once"));
}

TEST(NamePositions, AWideGapIsRefused) {
    EXPECT_EQ(by_name({"b1", "b1031"}).names.size(), 1031U);
    const Named wide = by_name({"b1", "b1032"});
    EXPECT_THAT(wide.names, ElementsAre("b1", "b1032"));
    EXPECT_THAT(wide.findings,
                ElementsAre("topology.conf:2: BlockName=b1032 is numbered beyond 1031, the most "
                            "that 2 blocks may be spread over, so the blocks are aggregated by "
                            "position; number the blocks from 1"));
    EXPECT_EQ(by_name({"b1", "b999999999999999999"}).names.size(), 2U);
    EXPECT_EQ(most_positions(1'000'000), 65535U);
}

TEST(NamePositions, NoBlocks) {
    EXPECT_THAT(by_name({}).findings, IsEmpty());
}

TEST(NamePositions, SplitNumber) {
    const auto split = split_number("rack-007");
    ASSERT_TRUE(split);
    EXPECT_EQ(split->prefix, "rack-");
    EXPECT_EQ(split->number, 7U);
    EXPECT_FALSE(split_number("rack"));
    EXPECT_FALSE(split_number(""));
    EXPECT_FALSE(split_number("r1234567890123456789"));
    EXPECT_EQ(split_number("12")->prefix, "");
}

// ---- The topology of such blocks
// -----------------------------------------------------------------

/// Blocks b01 … b07 without b03, four nodes each, in pairs and fours.
Topology without_third(bool by_name) {
    std::string error;
    TestNodeTable table("n[1-28]");
    Diagnostics diagnostics;
    auto config = parse_topology_config(
        "BlockName=b01 Nodes=n[1-4]\nBlockName=b02 Nodes=n[5-8]\nBlockName=b04 Nodes=n[13-16]\n"
        "BlockName=b05 Nodes=n[17-20]\nBlockName=b06 Nodes=n[21-24]\nBlockName=b07 "
        "Nodes=n[25-28]\nBlockSizes=4,8,16\n",
        "topology.conf", diagnostics);
    if (by_name) aggregate_by_name(*config, diagnostics);
    return *table.build(*config, diagnostics);
}

std::vector<std::string> listed(const Topology& topology, std::size_t level) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < topology.levels()[level].aggregates; ++i)
        if (topology.is_listed(level, i)) names.push_back(topology.aggregate_name(level, i));
    return names;
}

TEST(NamePositions, AMissingBlockShiftsNoAggregate) {
    const Topology named = without_third(true);
    EXPECT_THAT(listed(named, 1), ElementsAre("b[01-02]", "b[05-06]"));
    EXPECT_THAT(listed(named, 2), ElementsAre("b[01-02,04]", "b[05-07]"));
    const Topology positional = without_third(false);
    EXPECT_THAT(listed(positional, 1), ElementsAre("b[01-02]", "b[04-05]", "b[06-07]"));
    EXPECT_THAT(listed(positional, 2), ElementsAre("b[01-02,04-05]"));
}

TEST(NamePositions, AHoleIsNoBlockForUsers) {
    const Topology topology = without_third(true);
    EXPECT_TRUE(topology.is_hole(2));
    EXPECT_FALSE(topology.is_hole(3));
    EXPECT_EQ(topology.block_name(3), "b04");
    EXPECT_EQ(topology.find_block("b04"), 3U);
    EXPECT_EQ(topology.find_block(""), no_block);
    EXPECT_EQ(topology.block_nodes(2), 0U);
}

TEST(NamePositions, ANewBlockFillsItsHole) {
    const Topology filled = without_third(true).with_block("b03");
    EXPECT_EQ(filled.find_block("b03"), 2U);
    EXPECT_EQ(filled.block_count(), 7U);
    const Topology further = without_third(true).with_block("b09");
    EXPECT_EQ(further.find_block("b09"), 8U);
    EXPECT_TRUE(further.is_hole(7));
    const Topology stranger = without_third(true).with_block("spare");
    EXPECT_EQ(stranger.find_block("spare"), 7U) << "at the end";
    EXPECT_EQ(without_third(false).with_block("b03").find_block("b03"), 6U);
    EXPECT_EQ(without_third(true).with_block("b900000000").find_block("b900000000"), 7U)
        << "no memory for a gap that nobody means";
}

}  // namespace
}  // namespace nvl72block
