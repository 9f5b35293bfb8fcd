// SPDX-License-Identifier: GPL-2.0-or-later
#include "throughput/placement_effect.hpp"

#include <gtest/gtest.h>

#include "../replay/racks.hpp"

namespace nvl72block::throughput {
namespace {

using replay::racks;

/// A job on so many nodes of each rack of 18, in the order of the nodes.
Placement on(const std::vector<std::uint32_t>& counts) {
    Placement placement;
    for (std::uint32_t rack = 0; rack < counts.size(); ++rack)
        for (std::uint32_t node = 0; node < counts[rack]; ++node)
            placement.segment_nodes.push_back(rack * 18 + node);
    return placement;
}

Effect effect(const std::vector<std::uint32_t>& counts, std::uint32_t segment,
              std::optional<JobKind> kind, double torn_loss = 0) {
    return placement_effect(racks(8, 18), on(counts), segment, {kind, torn_loss, gb200});
}

TEST(PlacementEffect, AJobInOneRackLosesNothing) {
    for (const JobKind kind :
         {JobKind::data_parallel, JobKind::fully_sharded, JobKind::hybrid_sharded,
          JobKind::expert_parallel, JobKind::pipeline}) {
        const Effect whole = effect({16}, 0, kind);
        EXPECT_EQ(whole.torn_groups, 0U);
        EXPECT_FALSE(whole.fails);
        EXPECT_EQ(whole.loss, 0);
    }
}

TEST(PlacementEffect, AJobThatOneRackCouldHoldIsTornOnTwo) {
    EXPECT_EQ(effect({8, 8}, 0, JobKind::fully_sharded).torn_groups, 1U);
    EXPECT_NEAR(effect({8, 8}, 0, JobKind::fully_sharded).loss, 0.07, 0.01);
    EXPECT_TRUE(effect({8, 8}, 0, JobKind::expert_parallel).fails);
    EXPECT_EQ(effect({8, 8}, 0, JobKind::expert_parallel).loss, 1);
    EXPECT_EQ(effect({8, 8}, 0, std::nullopt, 0.1).loss, 0.1);
    EXPECT_EQ(effect({16}, 0, std::nullopt, 0.1).loss, 0);
}

TEST(PlacementEffect, LossesEndWhereMeasurementsDo) {
    EXPECT_EQ(effect({15, 1}, 0, JobKind::fully_sharded).loss, largest_measured_loss);
}

TEST(PlacementEffect, GroupsAreTheSegments) {
    const Effect aligned = effect({8, 8}, 4, JobKind::expert_parallel);
    EXPECT_EQ(aligned.groups, 4U);
    EXPECT_EQ(aligned.torn_groups, 0U);
    const Effect torn = effect({6, 10}, 4, JobKind::expert_parallel);
    EXPECT_EQ(torn.torn_groups, 1U);
    EXPECT_TRUE(torn.fails);
}

/// 128 nodes: eight groups of 16, whole in 16 per rack, torn in 18 per rack and 2.
TEST(PlacementEffect, AnEvenJobOverRacksKeepsGroupsWhole) {
    EXPECT_EQ(effect({16, 16, 16, 16, 16, 16, 16, 16}, 0, JobKind::hybrid_sharded).torn_groups, 0U);
    const Effect uneven = effect({18, 18, 18, 18, 18, 18, 18, 2}, 0, JobKind::hybrid_sharded);
    EXPECT_EQ(uneven.groups, 8U);
    EXPECT_EQ(uneven.torn_groups, 7U);
    EXPECT_EQ(uneven.loss, largest_measured_loss);
}

TEST(PlacementEffect, ASegmentThatNoRackHoldsIsNotTornOnAsFewAsItNeeds) {
    EXPECT_EQ(effect({18, 18}, 36, JobKind::expert_parallel).torn_groups, 0U);
    EXPECT_EQ(effect({12, 12, 12}, 36, JobKind::expert_parallel).torn_groups, 1U);
}

TEST(PlacementEffect, NodesInNoBlockAreRacksOfTheirOwn) {
    const Topology topology = Topology::of_blocks({{"a"}, {0, 0, no_block, no_block}, {}, 2});
    Placement placement;
    placement.segment_nodes = {2, 3};
    EXPECT_EQ(placement_effect(topology, placement, 0, {JobKind::pipeline, 0, gb200}).torn_groups,
              1U);
}

TEST(PlacementEffect, TheBestLayoutPacksWholeGroups) {
    EXPECT_EQ(best_layout(16, 0, 18).all, (Parts{64}));
    EXPECT_EQ(best_layout(64, 16, 18).all, (Parts{64, 64, 64, 64}));
    EXPECT_EQ(best_layout(24, 4, 18).all, (Parts{48, 48}));
    EXPECT_EQ(best_layout(34, 0, 18).groups, (std::vector<Parts>{{68}}));  // 17 nodes
    EXPECT_EQ(best_layout(36, 36, 18).groups, (std::vector<Parts>{{72, 72}}));
}

}  // namespace
}  // namespace nvl72block::throughput
