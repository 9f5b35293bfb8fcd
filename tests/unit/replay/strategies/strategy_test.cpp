// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/strategies/strategy.hpp"

#include "../racks.hpp"

namespace nvl72block::replay {
namespace {

using Counts = std::vector<std::uint32_t>;

/// Nodes that `strategy` takes from each rack; empty: no placement.
Counts chosen(const char* strategy, const Topology& topology, const Counts& idle,
              std::uint32_t nodes, std::uint32_t segment = 0) {
    const auto placement = make_strategy(strategy)->choose(topology, {0, 1, nodes, segment},
                                                           idle_nodes(topology, idle));
    return placement ? taken(topology, *placement) : Counts{};
}

TEST(Strategy, KnowsEveryNameThatItLists) {
    for (const std::string& name : strategy_names()) {
        const auto strategy = make_strategy(name);
        ASSERT_NE(strategy, nullptr) << name;
        EXPECT_EQ(strategy->name(), name);
    }
    EXPECT_EQ(make_strategy("best"), nullptr);
}

TEST(Strategy, TakesExactlyTheJobsFreeNodes) {
    const Topology topology = racks(4, 4);
    const NodeSet free = idle_nodes(topology, {2, 4, 3, 4});
    for (const std::string& name : strategy_names())
        for (std::uint32_t nodes = 1; nodes <= 4; ++nodes) {
            const auto placement = make_strategy(name)->choose(topology, {0, 1, nodes, 0}, free);
            ASSERT_TRUE(placement) << name;
            EXPECT_EQ(placement->nodes.count(), nodes) << name;
            NodeSet outside = placement->nodes;
            outside.subtract(free);
            EXPECT_TRUE(outside.empty()) << name;
            EXPECT_EQ(placement->segment_nodes.size(), nodes) << name;
            EXPECT_EQ(placement->segment_begin, (Counts{0, nodes})) << name;
            EXPECT_FALSE(placement->blocks.empty()) << name;
        }
}

TEST(FirstFit, TakesTheFirstNodesAcrossRacks) {
    const Topology topology = racks(3, 4);
    EXPECT_EQ(chosen("first-fit", topology, {1, 3, 4}, 4), (Counts{1, 3, 0}));
    EXPECT_EQ(chosen("first-fit", topology, {1, 0, 0}, 2), Counts{});
    const auto placement =
        make_strategy("first-fit")->choose(topology, {0, 1, 4, 2}, idle_nodes(topology, {3, 3}));
    EXPECT_EQ(placement->segment_begin, (Counts{0, 2, 4}));
}

TEST(StockGreedy, TakesTheTightestBlockAndOfEqualsTheLast) {
    const Topology topology = racks(4, 4, {4});
    EXPECT_EQ(chosen("stock-26.05", topology, {4, 3, 3, 4}, 2), (Counts{0, 0, 2, 0}));
    EXPECT_EQ(chosen("stock-26.05", topology, {4, 3, 3, 4}, 4), (Counts{0, 0, 0, 4}));
}

TEST(StockGreedy, OneNodeJobsDifferByRelease) {
    const Topology topology = racks(3, 4, {4});
    EXPECT_EQ(chosen("stock-26.05", topology, {4, 1, 4}, 1), (Counts{1, 0, 0}));
    EXPECT_EQ(chosen("stock-24.11", topology, {4, 1, 4}, 1), (Counts{0, 1, 0}));
}

TEST(StockGreedy, FillsTheLargestBaseBlockFirst) {
    // idle 4,3,3 and six nodes: stock takes 4 + 2 where 3 + 3 would keep the rack whole
    const Topology topology = racks(4, 4, {4, 16});
    EXPECT_EQ(chosen("stock-26.05", topology, {4, 3, 3, 0}, 6), (Counts{4, 0, 2, 0}));
}

TEST(StockGreedy, PlacesSegmentBySegment) {
    // 8 and 9 idle beside a rack of 16: the tightest racks first
    const Topology topology = racks(3, 16, {16});
    EXPECT_EQ(chosen("stock-26.05", topology, {16, 9, 8}, 16, 8), (Counts{0, 8, 8}));
}

TEST(StockGreedy, MissesPlacementsAsStockDoes) {
    // a lower block with a base block that has no idle node stalls the search
    const Topology lower = racks(12, 2, {2, 8});
    const Counts idle = {2, 2, 2, 0, 2, 1, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(chosen("stock-26.05", lower, idle, 9), Counts{});
    EXPECT_FALSE(chosen("pack", lower, idle, 9).empty());
    // segments larger than a base block are cut so that the last one finds no placement
    const Topology single = racks(5, 4, {4});
    EXPECT_EQ(chosen("stock-26.05", single, {2, 3, 3, 3, 4}, 15, 5), Counts{});
    EXPECT_FALSE(chosen("pack", single, {2, 3, 3, 3, 4}, 15, 5).empty());
}

}  // namespace
}  // namespace nvl72block::replay
