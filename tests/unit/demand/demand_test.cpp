// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/demand.hpp"

#include <gtest/gtest.h>

namespace nvl72block {
namespace {

using Sizes = std::vector<DemandSize>;

Sizes sizes_of(const Demand& demand) {
    return {demand.sizes().begin(), demand.sizes().end()};
}

Demand parsed(std::string_view text) {
    std::string error;
    const auto demand = Demand::parse(text, error);
    EXPECT_TRUE(demand) << error;
    return demand.value_or(Demand());
}

std::string error_of(std::string_view text) {
    std::string error;
    EXPECT_FALSE(Demand::parse(text, error)) << text;
    return error;
}

TEST(DemandTest, ReadsTheStatedForm) {
    EXPECT_EQ(sizes_of(parsed("16:0.8+4:0.2")), (Sizes{{4, 200}, {16, 800}}));
    EXPECT_EQ(sizes_of(parsed("18:1")), (Sizes{{18, 1000}}));
    EXPECT_EQ(sizes_of(parsed("16:3+4:1")), (Sizes{{4, 250}, {16, 750}}));
}

TEST(DemandTest, WritesTheStatedForm) {
    EXPECT_EQ(to_string(parsed("4:0.2+16:0.8")), "16:0.8+4:0.2");
    EXPECT_EQ(to_string(parsed("1:2+16:1")), "16:0.333+1:0.667");
    EXPECT_EQ(to_string(Demand()), "off");
}

TEST(DemandTest, AFindingNamesThePlaceAndTheRemedy) {
    EXPECT_EQ(error_of("16:0.8+4"),
              "\"4\" is not NODES:SHARE; write the nodes of a segment or job, a colon and its "
              "share of the nodes in demand, such as 16:0.8");
    EXPECT_EQ(error_of("16:0.8+4:-1"),
              "the share in \"4:-1\" is not a number above 0 and up to 1000000000; write one such "
              "as 4:0.8");
    EXPECT_EQ(error_of("16:0.8+16:0.2"),
              "\"16:0.2\" names a size that is there already; write each size once");
    EXPECT_EQ(error_of("1:1+2:1+3:1+4:1+5:1+6:1+7:1+8:1+9:1"),
              "9 sizes are too many; write at most 8");
    for (const char* text : {"", "+", "16:0.8+", "0:1", "16:0", "16:nan", "16:1e400", "x:1",
                             "16:", "16 :1", "99999999999:1"})
        EXPECT_NE(error_of(text), "") << text;
}

TEST(DemandTest, KeepsTheLargestShares) {
    std::vector<Demand::Amount> amounts;
    for (std::uint32_t nodes = 1; nodes <= 20; ++nodes)
        amounts.push_back({nodes, static_cast<double>(nodes)});
    const Demand demand = Demand::of(amounts);
    ASSERT_EQ(demand.sizes().size(), most_demand_sizes);
    EXPECT_EQ(demand.sizes().front().nodes, 13U);
    EXPECT_EQ(demand.sizes().back().nodes, 20U);
}

TEST(DemandTest, LeavesOutWhatIsNothing) {
    const std::vector<Demand::Amount> amounts{{0, 5}, {4, 0}, {8, -1}, {16, 1}, {2, 0.0001}};
    EXPECT_EQ(sizes_of(Demand::of(amounts)), (Sizes{{16, 1000}}));
    EXPECT_TRUE(Demand::of({}).empty());
}

TEST(DemandTest, PlacesOfWhatOneBaseBlockReallyHasLieInBaseBlocks) {
    KnownBlocks blocks;
    blocks.names = {"a", "b", "c"};
    for (BlockIndex block = 0; block < 3; ++block)
        for (int node = 0; node < 18; ++node) blocks.block_of.push_back(block);
    blocks.sizes = {16, 32};
    const Topology topology = Topology::of_blocks(std::move(blocks));
    EXPECT_EQ(slot_level(topology, 1), 0U);
    EXPECT_EQ(slot_level(topology, 18), 0U);
    EXPECT_EQ(slot_level(topology, 19), 1U);
    EXPECT_EQ(slot_level(topology, 33), 2U);  // the whole cluster
}

TEST(DemandTest, SaysWhatATakenNodeLeavesOfTheSlotsThatWereThere) {
    KnownBlocks blocks;
    blocks.names = {"a", "b", "c", "d"};
    for (BlockIndex block = 0; block < 4; ++block)
        for (int node = 0; node < 18; ++node) blocks.block_of.push_back(block);
    blocks.sizes = {18, 36};
    const Topology topology = Topology::of_blocks(std::move(blocks));
    NodeSet idle(72), taken(72);
    for (NodeIndex node = 1; node < 72; ++node) idle.set(node);
    for (NodeIndex node = 0; node < 3; ++node) taken.set(node);  // node 0 was in use already
    const auto kept = [&](std::string_view sizes) {
        return kept_slots(topology, parsed(sizes), idle, taken);
    };
    EXPECT_EQ(kept("16:0.8+4:0.2"), "3 of 4 slots of 16 nodes, 15 of 16 of 4");
    EXPECT_EQ(kept("36:0.5+34:0.5"), "1 of 1 slots of 36 nodes, 1 of 2 of 34");
    // neither where any node is a slot, nor where only the whole cluster holds one
    EXPECT_EQ(kept("1:0.5+40:0.5"), "");
    EXPECT_EQ(kept_slots(topology, Demand(), idle, taken), "");
}

}  // namespace
}  // namespace nvl72block
