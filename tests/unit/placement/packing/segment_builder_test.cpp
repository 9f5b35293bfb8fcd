// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/segment_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../small_cluster.hpp"
#include "placement/counts/decision.hpp"

namespace nvl72block {
namespace {

using testing::SmallCluster;

/// What build_segments() divides a job among, by base block; empty if it finds nothing.
std::vector<std::uint32_t> built(const SmallCluster& cluster, const Request& request,
                                 std::initializer_list<BlockOrder> orders = {BlockOrder::fullest}) {
    Effort effort;
    const Decision decision(cluster.topology, request, cluster.state(), effort);
    const Problem problem = decision.problem(request.min_nodes);
    const CostLayout layout(decision.tally(), request, problem.nodes);
    const auto division = build_segments(layout, problem, orders, effort);
    std::vector<std::uint32_t> taken;
    if (!division) return taken;
    taken.resize(cluster.topology.block_count());
    for (const Share& share : division->shares) taken[share.block] += share.nodes;
    return taken;
}

Request segments(std::uint32_t count, std::uint32_t nodes) {
    Request request;
    request.min_nodes = request.max_nodes = count * nodes;
    request.segment_size = nodes;
    return request;
}

/// A required node was in a rack that no single group of racks could hold; the search spent its
/// budget on a proof, and what was constructed before was dropped.
TEST(SegmentBuilder, TwoSegmentsWithARequiredNodeAreNotRefused) {
    const SmallCluster cluster(17, "18,144", {13, 10, 16, 17, 15, 12, 15, 13});
    NodeSet required(cluster.topology.node_count());
    required.set(17);
    Request request = segments(2, 24);
    request.required = required;
    for (const std::uint64_t steps : {0, 1000, 65536}) {
        const Answer answer = place(cluster.topology, request, cluster.state(), Budget{steps});
        ASSERT_EQ(answer.index(), 0U) << sentence(std::get<Refusal>(answer));
        EXPECT_TRUE(std::get<Placement>(answer).nodes.test(17));
    }
}

TEST(SegmentBuilder, TheCheapestSegmentsComeFromBlocksThatAreNotWhole) {
    // Pods of four racks: all idle; as many nodes as one segment has; one node more.
    const SmallCluster cluster(4, "4,16", {4, 4, 4, 4, 3, 3, 0, 0, 4, 3, 0, 0});
    const std::vector<std::uint32_t> taken = built(cluster, segments(2, 6), {BlockOrder::cheapest});
    ASSERT_EQ(taken.size(), 12U);
    EXPECT_EQ(taken[0] + taken[1] + taken[2] + taken[3], 0U);
}

// Only the second pod has no whole rack to break. Where a pod gives all segments nothing can be
// chosen by cost, and the pods after the one that was found first were passed over.
TEST(SegmentBuilder, EachScopeIsTriedByTheNextOrderToo) {
    const SmallCluster cluster(4, "4,16", {4, 4, 4, 4, 3, 3, 3, 3});
    Request request = segments(2, 6);
    request.consolidate_segments = true;
    const std::vector<std::uint32_t> taken =
        built(cluster, request, {BlockOrder::cheapest, BlockOrder::fullest});
    ASSERT_EQ(taken.size(), 8U);
    EXPECT_EQ(taken[0] + taken[1] + taken[2] + taken[3], 0U);
}

TEST(SegmentBuilder, FewBaseBlocksAreUsedWhereTheyAreLimited) {
    // The fullest pod needs four racks for two segments, the last one three.
    const SmallCluster cluster(4, "4,16", {3, 3, 3, 3, 3, 3, 0, 0, 4, 4, 2, 0});
    Request request = segments(2, 5);
    EXPECT_FALSE(built(cluster, request).empty());
    request.max_base_blocks = 3;
    const std::vector<std::uint32_t> taken = built(cluster, request);
    ASSERT_EQ(taken.size(), 12U);
    EXPECT_EQ(taken[8] + taken[9] + taken[10], 10U);
    request.max_base_blocks = 2;
    EXPECT_TRUE(built(cluster, request).empty());
}

TEST(SegmentBuilder, WhatIsRequiredIsGivenInFewBaseBlocks) {
    // As before; the first pod must give one of the segments, which takes two racks in any pod.
    const SmallCluster cluster(4, "4,16", {3, 3, 3, 3, 3, 3, 0, 0, 4, 4, 2, 0});
    NodeSet required(cluster.topology.node_count());
    required.set(0);
    Request request = segments(2, 5);
    request.required = required;
    request.max_base_blocks = 4;
    const std::vector<std::uint32_t> taken = built(cluster, request);
    ASSERT_EQ(taken.size(), 12U);
    EXPECT_GT(taken[0], 0U);
    EXPECT_LE(std::count_if(taken.begin(), taken.end(), [](auto nodes) { return nodes > 0; }), 4);
    request.max_base_blocks = 3;
    EXPECT_TRUE(built(cluster, request).empty());
}

}  // namespace
}  // namespace nvl72block
