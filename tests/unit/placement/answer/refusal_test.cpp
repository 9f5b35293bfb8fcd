// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a refusal claims: its numbers, and whether it is proven.
#include <gtest/gtest.h>

#include "../small_cluster.hpp"

namespace nvl72block {
namespace {

using testing::describe;
using testing::SmallCluster;

Request job(std::uint32_t nodes, std::uint32_t segment = 0) {
    Request request;
    request.min_nodes = request.max_nodes = nodes;
    request.segment_size = segment;
    return request;
}

Refusal refused(const SmallCluster& cluster, const Request& request) {
    const Answer answer = place(cluster.topology, request, cluster.state());
    if (std::holds_alternative<Refusal>(answer)) return std::get<Refusal>(answer);
    ADD_FAILURE() << "placed on " << describe(cluster.topology, answer);
    return {};
}

// One lighter node in each of 512 racks: its lightest placements use 300 racks, and the refusal
// said "needs at least 17 base blocks, but at most 100 may be used", proven.
TEST(Refusal, DoesNotCallACapTooSmallThatIsLargeEnough) {
    const SmallCluster cluster(18, "18,144,1152", std::vector<std::uint32_t>(512, 18));
    std::vector<std::uint64_t> weight(cluster.topology.node_count(), 2);
    for (std::size_t node = 0; node < weight.size(); node += 18) weight[node] = 1;
    State state = cluster.state();
    state.weight = weight;
    Request request = job(300, 1);
    request.max_base_blocks = 100;
    const Answer answer = place(cluster.topology, request, state);
    ASSERT_TRUE(std::holds_alternative<Placement>(answer)) << describe(cluster.topology, answer);
    EXPECT_LE(std::get<Placement>(answer).blocks.size(), 100U);
}

// Blocks of 32 (eight racks) with too many different racks for all sets of them: their segments are
// packed somehow, not in the fewest racks. That these do not add up to 23 proves nothing.
TEST(Refusal, IsNotProvenWhereFewerBaseBlocksWereNotRuledOut) {
    const SmallCluster cluster(6, "4,8,32", {4, 3, 6, 5, 3, 6, 5, 6, 3, 2, 2, 6, 5, 2, 5, 6,
                                             6, 5, 1, 5, 1, 5, 2, 3, 3, 5, 6, 0, 3, 3, 5});
    Request request = job(99, 11);
    request.spread_segments = true;
    request.max_base_blocks = 23;
    const Answer answer = place(cluster.topology, request, cluster.state());
    EXPECT_FALSE(std::holds_alternative<Refusal>(answer) && std::get<Refusal>(answer).proven);
    Budget large;
    large.steps = large.direct_search = 1'000'000;
    const Answer found = place(cluster.topology, request, cluster.state(), large);
    ASSERT_TRUE(std::holds_alternative<Placement>(found)) << describe(cluster.topology, found);
    EXPECT_LE(std::get<Placement>(found).blocks.size(), 23U);
}

// Five racks of 3, two of them joined by the size 12: free are 3, 2, 2, 2 and 3. Six nodes would
// lie in two racks, which have five. The sum over the racks said that one segment fits.
TEST(Refusal, CountsTheSegmentsThatFit) {
    const SmallCluster cluster(3, "3,12", {3, 2, 2, 2, 3});
    Request request = job(12, 6);
    request.consolidate_segments = true;
    const Refusal refusal = refused(cluster, request);
    EXPECT_EQ(refusal.segments_fit, 0U);
    EXPECT_TRUE(refusal.segments_fit_exact);
    EXPECT_EQ(sentence(refusal),
              "needs 2 segments of 6 nodes; none fits in one block of 12; 12 nodes are usable");
}

TEST(Refusal, SaysAtMostWhereItHasNotCounted) {
    Refusal refusal;
    refusal.reason = RefusalReason::segments_do_not_fit;
    refusal.segments_wanted = 3;
    refusal.segment_size = 20;
    refusal.segments_fit = 2;
    refusal.segments_fit_exact = false;
    refusal.usable_nodes = 70;
    EXPECT_EQ(sentence(refusal),
              "needs 3 segments of 20 nodes; at most 2 fit in the whole cluster; 70 nodes are "
              "usable");
    refusal.proven = false;
    EXPECT_EQ(sentence(refusal),
              "needs 3 segments of 20 nodes; no placement for all of them was found in the whole "
              "cluster; 70 nodes are usable; search limit reached; a placement may still exist");
}

TEST(Refusal, OfTotalsCountsOneAsOne) {
    Refusal refusal;
    refusal.reason = RefusalReason::not_enough_totals;
    refusal.wanted_gpus = 1;
    refusal.usable_nodes = 2;
    EXPECT_EQ(sentence(refusal),
              "needs 1 GPU in the whole cluster; no set of nodes there has as many; 2 nodes are "
              "usable");
    refusal.wanted_cpus = 1;
    refusal.wanted_gpus = 2;
    EXPECT_EQ(sentence(refusal),
              "needs 1 CPU and 2 GPUs in the whole cluster; no set of nodes there has as many; 2 "
              "nodes are usable");
}

// There are as many nodes as the job wants at least, and no more.
TEST(Refusal, OfTotalsWhereTheNodesAreJustEnough) {
    const SmallCluster cluster(4, "4", {2});
    const std::vector<std::uint32_t> cpus(cluster.topology.node_count(), 1);
    State state = cluster.state();
    state.cpus = cpus;
    Request request = job(2);
    request.max_nodes = 3;
    request.cpus = 5;
    request.sized_by_totals = true;
    const Answer answer = place(cluster.topology, request, state);
    ASSERT_TRUE(std::holds_alternative<Refusal>(answer)) << describe(cluster.topology, answer);
    EXPECT_EQ(sentence(std::get<Refusal>(answer)),
              "needs 5 CPUs in the whole cluster; no set of nodes there has as many; 2 nodes are "
              "usable");
}

TEST(Refusal, OfACapThatIsNotProvenClaimsNoLeastNumber) {
    Refusal refusal;
    refusal.reason = RefusalReason::too_many_base_blocks;
    refusal.max_base_blocks = 10;
    refusal.needed_base_blocks = 12;
    refusal.usable_nodes = 300;
    EXPECT_EQ(sentence(refusal),
              "needs at least 12 base blocks, but at most 10 may be used; 300 nodes are usable");
    refusal.proven = false;
    EXPECT_EQ(
        sentence(refusal),
        "at most 10 base blocks may be used, and no placement in fewer than 12 was found; 300 "
        "nodes are usable; search limit reached; a placement may still exist");
}

// Two racks of 18 hold 36 nodes, whatever the other 510 have.
TEST(Refusal, GivesWhatTheBaseBlocksAllowedCanHold) {
    const SmallCluster cluster(18, "18,144,1152", std::vector<std::uint32_t>(512, 18));
    Request request = job(40);
    request.max_base_blocks = 2;
    Refusal refusal = refused(cluster, request);
    EXPECT_EQ(refusal.reason, RefusalReason::too_many_base_blocks);
    EXPECT_EQ(refusal.needed_base_blocks, 3U);
    EXPECT_EQ(refusal.best_fit_nodes, 36U);
    EXPECT_TRUE(refusal.proven);
    request = job(100, 20);
    request.max_base_blocks = 4;
    refusal = refused(cluster, request);
    EXPECT_EQ(refusal.best_fit_nodes, 60U) << "three segments of 20 in four racks";
    EXPECT_EQ(refusal.needed_base_blocks, 6U);
}

// Refusals before any search left this at 0.
TEST(Refusal, AlwaysTellsWhatLiesInNoBlock) {
    const SmallCluster cluster(2, "2", {1, 1}, 4);
    EXPECT_EQ(refused(cluster, job(3, 2)).usable_outside, 4U);
    NodeSet required(cluster.topology.node_count());
    required.set(1);
    Request request = job(2);
    request.required = required;
    EXPECT_EQ(refused(cluster, request).usable_outside, 4U);
    EXPECT_EQ(refused(cluster, job(5)).usable_outside, 4U);
}

// Three racks are required, the job of two segments can take from two only.
TEST(Refusal, RequiredNodesThatMakeMoreSegmentsThanWanted) {
    const SmallCluster cluster(4, "4", {4, 4, 4});
    NodeSet required(cluster.topology.node_count());
    for (const NodeIndex node : {0U, 4U, 8U}) required.set(node);
    Request request = job(4, 2);
    request.required = required;
    EXPECT_EQ(refused(cluster, request).reason, RefusalReason::required_do_not_fit);
}

}  // namespace
}  // namespace nvl72block
