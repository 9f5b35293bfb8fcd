// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/island_offers.hpp"

#include <gtest/gtest.h>

#include <array>

#include "../small_cluster.hpp"
#include "island_lists.hpp"
#include "placement/state/tally.hpp"

namespace nvl72block {
namespace {

constexpr IslandRule segments_of_four{true, false, 4};
constexpr IslandRule one_island{true, true, 1};

TEST(IslandRange, CountsWholeSegmentsPerIsland) {
    const UnitRange range = island_range(testing::islands_of({{9, 0}, {7, 1}}), segments_of_four);
    EXPECT_EQ(range.least, 1U);
    EXPECT_EQ(range.most, 3U);
}

TEST(IslandRange, RequiredNodesWhereNoSegmentFitsCannotBeServed) {
    const UnitRange range = island_range(testing::islands_of({{9, 0}, {3, 1}}), segments_of_four);
    EXPECT_GT(range.least, range.most);
}

TEST(IslandRange, RequiredNodesInTwoIslandsLeaveNoSingleIsland) {
    const UnitRange range = island_range(testing::islands_of({{9, 1}, {9, 1}}), one_island);
    EXPECT_GT(range.least, range.most);
    EXPECT_EQ(island_range(testing::islands_of({{4, 0}, {9, 0}}), one_island).most, 9U);
}

/// All amounts of a block in one pass: what a split of each amount alone comes to, and no steps the
/// second time.
TEST(IslandOffers, PreparedCountsAreThoseOfTheBestSplits) {
    const testing::SmallCluster cluster(9, "9", {9, 7});
    std::vector<std::uint32_t> islands{0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1};
    const Topology topology = cluster.topology.with_islands(islands);
    std::vector<std::uint64_t> weight{1, 5, 1, 1, 9, 1, 1, 5, 5, 9, 9, 9, 1, 5, 1, 5, 1, 1};
    State state = cluster.state();
    state.weight = weight;
    const std::uint64_t classes[] = {1, 5, 9};
    std::vector<std::uint8_t> class_of;
    for (const std::uint64_t each : weight)
        class_of.push_back(static_cast<std::uint8_t>(weight_class_of(classes, each)));
    const IslandRule rule{true, false, 2};
    for (const bool total_weight : {false, true}) {
        const IslandOffers alone(topology, Request{}, state, class_of, 3);
        const IslandOffers prepared(topology, Request{}, state, class_of, 3);
        EXPECT_GT(prepared.prepare(rule, {classes, total_weight}), 0U);
        EXPECT_EQ(prepared.prepare(rule, {classes, total_weight}), 0U);
        for (const BlockIndex block : {0U, 1U})
            for (std::uint32_t nodes = 0; nodes <= 6; nodes += 2) {
                std::array<std::uint32_t, 3> one{}, other{};
                alone.add_class_counts(block, rule, nodes, {classes, total_weight}, one);
                prepared.add_class_counts(block, rule, nodes, {classes, total_weight}, other);
                EXPECT_EQ(one, other) << block << " " << nodes;
                EXPECT_EQ(alone.split(block, rule, nodes, {classes, total_weight}),
                          prepared.split(block, rule, nodes, {classes, total_weight}));
            }
    }
}

}  // namespace
}  // namespace nvl72block
