// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ranges of node counts: the largest count that fits, and what it costs to find it.
#include <gtest/gtest.h>

#include "../small_cluster.hpp"

namespace nvl72block {
namespace {

using testing::describe;
using testing::SmallCluster;

Request range(std::uint32_t least, std::uint32_t most, std::uint32_t segment = 0) {
    Request request;
    request.min_nodes = least;
    request.max_nodes = most;
    request.segment_size = segment;
    return request;
}

/// Racks of 18, each with `free` of them usable.
SmallCluster racks(std::size_t count, std::uint32_t free,
                   const std::string& sizes = "18,144,1152") {
    return {18, sizes, std::vector<std::uint32_t>(count, free)};
}

Placement placed(const SmallCluster& cluster, const Request& request) {
    const Answer answer = place(cluster.topology, request, cluster.state());
    if (const auto* refusal = std::get_if<Refusal>(&answer)) {
        ADD_FAILURE() << sentence(*refusal);
        return {};
    }
    return std::get<Placement>(answer);
}

// Every count from 9,216 down was searched for: 15.6 s for one rack, 2.1 s for three, minutes on
// 3,600 racks. The offers alone say what a cap on base blocks leaves.
TEST(Range, UnderACapOnBaseBlocksStartsAtWhatTheyCanHold) {
    const SmallCluster cluster = racks(512, 18);
    Request request = range(1, 9216);
    request.max_base_blocks = 3;
    Placement placement = placed(cluster, request);
    EXPECT_EQ(placement.nodes.count(), 54U);
    EXPECT_EQ(placement.blocks.size(), 3U);
    EXPECT_LT(placement.steps, 600000U);
    request.segment_size = 20;
    request.max_base_blocks = 10;
    placement = placed(cluster, request);
    EXPECT_EQ(placement.nodes.count() % 20, 0U);
    EXPECT_LE(placement.blocks.size(), 10U);
    EXPECT_LT(placement.steps, 2000000U);
}

// One rack holds no segment of 19, however many segments there are to be; 19 nodes and fewer are a
// plain job.
TEST(Range, ThatNoSegmentFitsEndsBelowOneSegment) {
    const SmallCluster cluster = racks(512, 18);
    Request request = range(1, 9216, 19);
    request.max_base_blocks = 1;
    const Placement placement = placed(cluster, request);
    EXPECT_EQ(placement.nodes.count(), 18U);
    EXPECT_TRUE(placement.proven);
    EXPECT_LT(placement.steps, 100000U);
}

// Neither the cap (four racks of 4) nor the limit of two pairs alone excludes 16 nodes, together
// they do.
TEST(Range, BoundsHeedACapAndALimitTogether) {
    const SmallCluster cluster(4, "4,8,16", {4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1});
    Request request = range(9, 16);
    request.max_base_blocks = 4;
    const Placement placement = placed(cluster, request);
    EXPECT_EQ(placement.nodes.count(), 10U);
    EXPECT_TRUE(placement.proven);
}

// Whatever the budget, an answer keeps the rules; without one it is the best of a few tries.
TEST(Range, WithoutABudgetFindsAPlacementAndSaysThatItIsNotProven) {
    const SmallCluster cluster = racks(64, 13, "18,36,72");
    Request request = range(2, 1152, 40);
    request.max_base_blocks = 17;
    const Answer answer = place(cluster.topology, request, cluster.state(), {0});
    ASSERT_TRUE(std::holds_alternative<Placement>(answer)) << describe(cluster.topology, answer);
    const auto& placement = std::get<Placement>(answer);
    EXPECT_LE(placement.blocks.size(), 17U);
    EXPECT_GE(placement.nodes.count(), 2U);
    EXPECT_FALSE(placement.proven);
}

// When the budget ended nothing packed larger segments: the range ended below one segment, on a
// plain job of 15 nodes, where hundreds of segments fit.
TEST(Range, PlacesLargeSegmentsWhereTheMostDoNotFit) {
    std::vector<std::uint32_t> free;
    for (std::uint32_t rack = 0; rack < 512; ++rack) free.push_back((rack * 7) % 19);
    const SmallCluster cluster(18, "18,144,1152", free);
    for (const bool spread : {false, true}) {
        Request request = range(1, 9216, 20);
        request.max_base_blocks = 300;
        request.spread_segments = spread;
        const Answer answer = place(cluster.topology, request, cluster.state());
        ASSERT_TRUE(std::holds_alternative<Placement>(answer))
            << describe(cluster.topology, answer);
        const auto& placement = std::get<Placement>(answer);
        EXPECT_GT(placement.nodes.count(), 1000U);
        EXPECT_LE(placement.blocks.size(), 300U);
        EXPECT_FALSE(placement.proven);
    }
}

TEST(Range, IsNeverBelowAFixedCountInIt) {
    const SmallCluster cluster(4, "4,8,16", {4, 0, 3, 2, 4, 4, 1, 0});
    for (std::uint32_t segment = 0; segment <= 6; ++segment)
        for (std::uint32_t cap = 0; cap <= 5; ++cap) {
            std::uint32_t largest = 0;
            for (std::uint32_t count = 1; count <= 32; ++count) {
                Request fixed = range(count, count, segment);
                fixed.max_base_blocks = cap;
                const Answer answer = place(cluster.topology, fixed, cluster.state());
                if (std::holds_alternative<Placement>(answer)) largest = count;
            }
            Request request = range(1, 32, segment);
            request.max_base_blocks = cap;
            EXPECT_EQ(placed(cluster, request).nodes.count(), largest)
                << "segments of " << segment << ", at most " << cap << " base blocks";
        }
}

}  // namespace
}  // namespace nvl72block
