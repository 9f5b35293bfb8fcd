// SPDX-License-Identifier: GPL-2.0-or-later
//
// Enforced cliques as an administrator sees them: who is placed where, and what a refusal says.
// Whether the choice is complete and the best is tests/property/clique_oracle_test.cpp's question.
#include <gtest/gtest.h>

#include "small_cluster.hpp"

namespace nvl72block {
namespace {

using testing::describe;
using testing::SmallCluster;

/// One character per node, block after block: '0', '1', … its island, '-' no island.
Topology with_islands(const Topology& topology, const std::string& text) {
    std::vector<std::uint32_t> islands;
    for (const char mark : text)
        islands.push_back(mark == '-' ? no_island : static_cast<std::uint32_t>(mark - '0'));
    return topology.with_islands(std::move(islands));
}

struct Job {
    std::uint32_t nodes = 1;
    std::uint32_t segment = 0;
    std::uint32_t least = 0;  // of a range; 0: no range
    std::span<const std::uint64_t> weight = {};
    NodeSetView required = {};
    NodeSetView drained = {};
    NodeSetView excluded = {};
};

Answer placed(const SmallCluster& cluster, const std::string& islands, const Job& job) {
    State state = cluster.state();
    state.weight = job.weight;
    state.drained = job.drained;
    state.excluded = job.excluded;
    Request request;
    request.min_nodes = request.max_nodes = job.nodes;
    if (job.least != 0) request.min_nodes = job.least;
    request.segment_size = job.segment;
    request.required = job.required;
    return place(with_islands(cluster.topology, islands), request, state);
}

std::string answer(const SmallCluster& cluster, const std::string& islands, const Job& job) {
    return describe(cluster.topology, placed(cluster, islands, job));
}

NodeSet set_of(const SmallCluster& cluster, std::initializer_list<NodeIndex> nodes) {
    NodeSet set(cluster.topology.node_count());
    for (const NodeIndex node : nodes) set.set(node);
    return set;
}

// A rack of 18 whose fabric has two NVLink partitions of 9, and a rack in one piece.
class CarvedRack : public ::testing::Test {
  protected:
    const SmallCluster cluster{18, "18,36", {18, 0}};
    const std::string islands = "000000000111111111" + std::string(18, '0');
};

TEST_F(CarvedRack, ServesSegmentsOfNineTwice) {
    EXPECT_EQ(answer(cluster, islands, {.nodes = 18, .segment = 9}), "n[0-8] n[9-17]");
}

TEST_F(CarvedRack, RefusesASegmentOfSixteenWithTheReason) {
    EXPECT_EQ(
        answer(cluster, islands, {.nodes = 16, .segment = 16}),
        "needs 16 nodes in one block of 18; the best block has 9; 18 nodes are usable; NVLink "
        "cliques are enforced: at most 9 usable in one clique");
}

TEST_F(CarvedRack, RefusesAPlainJobThatNoIslandHolds) {
    EXPECT_EQ(
        answer(cluster, islands, {.nodes = 10}),
        "needs 10 nodes in one block of 18; the best block has 9; 18 nodes are usable; NVLink "
        "cliques are enforced: at most 9 usable in one clique");
}

TEST_F(CarvedRack, CountsSegmentsByIsland) {
    EXPECT_EQ(answer(cluster, islands, {.nodes = 15, .segment = 5}),
              "needs 3 segments of 5 nodes; only 2 fit in the whole cluster; 18 nodes are usable; "
              "NVLink cliques are enforced: at most 9 usable in one clique");
}

TEST_F(CarvedRack, FillsOneIslandBeforeItTouchesTheOther) {
    EXPECT_EQ(answer(cluster, islands, {.nodes = 8, .segment = 4}), "n[0-3] n[4-7]");
    EXPECT_EQ(answer(cluster, islands, {.nodes = 3}), "n[0-2]");
}

TEST_F(CarvedRack, SegmentsOfOneNodeHeedNoIslands) {
    EXPECT_EQ(answer(cluster, islands, {.nodes = 3, .segment = 1}), "n0 n1 n2");
}

// Racks of 18 planned as 16: 17 nodes are no more than one segment of 18, so a plain job, which may
// take nodes of any island. It was refused for good, as if it had a segment of 18.
TEST(SegmentsLargerThanABlock, AreRefusedOnlyForCountsThatHaveThem) {
    const SmallCluster cluster(18, "16,32", {18, 18});
    const std::string islands(36, '0');
    EXPECT_EQ(answer(cluster, islands, {.nodes = 17}), "n[0-16]");
    EXPECT_EQ(answer(cluster, islands, {.nodes = 17, .segment = 18}), "n[0-16]");
    EXPECT_EQ(
        std::get<Placement>(placed(cluster, islands, {.nodes = 36, .segment = 18, .least = 17}))
            .nodes.count(),
        18U);
    EXPECT_TRUE(
        std::get<Refusal>(placed(cluster, islands, {.nodes = 36, .segment = 18})).permanent);
}

// Two racks whose cables are swapped for two nodes each.
class SwappedCables : public ::testing::Test {
  protected:
    const SmallCluster cluster{6, "6,12", {6, 6}};
    const std::string islands = "0000--0000--";
};

TEST_F(SwappedCables, StayOutOfSegmentsOfSeveralNodes) {
    EXPECT_EQ(answer(cluster, islands, {.nodes = 8, .segment = 4}), "n[0-3] n[6-9]");
    EXPECT_EQ(
        answer(cluster, islands, {.nodes = 5, .segment = 5}),
        "needs 5 nodes in one block of 6; the best block has 4; 8 nodes are usable; NVLink cliques "
        "are enforced: at most 4 usable in one clique, 4 more not usable because they are in none "
        "of their block's cliques");
}

TEST_F(SwappedCables, ServeJobsOfOneNode) {
    SmallCluster left = cluster;
    for (const NodeIndex node : {0U, 1U, 2U, 3U, 6U, 7U, 8U, 9U, 10U, 11U}) left.usable.reset(node);
    EXPECT_EQ(answer(left, islands, {.nodes = 1}), "n4");
    EXPECT_EQ(answer(left, islands, {.nodes = 2, .segment = 1}), "n4 n5");
}

TEST_F(SwappedCables, RequiredByNameAreRefusedWithTheReason) {
    const NodeSet required = set_of(cluster, {4});
    EXPECT_EQ(
        answer(cluster, islands, {.nodes = 4, .segment = 4, .required = required}),
        "1 of the nodes required by name can be used only by one-node jobs: NVLink cliques are "
        "enforced, and these nodes have no clique, or one of another block");
}

TEST_F(SwappedCables, ASegmentLargerThanABlockIsRefusedForGood) {
    const Answer refused = placed(cluster, islands, {.nodes = 16, .segment = 8});
    EXPECT_EQ(describe(cluster.topology, refused),
              "the request can never fit: NVLink cliques are enforced, and a segment of 8 nodes "
              "fits in none: the planning size of base blocks is 6");
    EXPECT_TRUE(std::get<Refusal>(refused).permanent);
}

// Both refusals before any search used to leave these at 0, whatever was drained.
TEST_F(SwappedCables, RefusalsBeforeAnySearchTellWhatIsDrainedAndExcluded) {
    SmallCluster left = cluster;
    for (const NodeIndex node : {1U, 2U, 7U}) left.usable.reset(node);
    const NodeSet required = set_of(cluster, {4, 5});
    const NodeSet drained = set_of(cluster, {1, 7});
    const NodeSet excluded = set_of(cluster, {2});
    const auto check = [&](const Job& job, const std::string& text) {
        const Answer refused = placed(left, islands, job);
        EXPECT_EQ(describe(cluster.topology, refused), text);
        const auto& refusal = std::get<Refusal>(refused);
        EXPECT_EQ(refusal.wanted_nodes, job.nodes);
        EXPECT_EQ(refusal.usable_nodes, 9U);
        EXPECT_EQ(refusal.drained_nodes, 2U);
        EXPECT_EQ(refusal.excluded_nodes, 1U);
        EXPECT_EQ(refusal.segment_size, job.segment);
    };
    check({.nodes = 14, .segment = 7, .drained = drained, .excluded = excluded},
          "the request can never fit: NVLink cliques are enforced, and a segment of 7 nodes fits "
          "in none: the planning size of base blocks is 6");
    check(
        {.nodes = 4, .segment = 4, .required = required, .drained = drained, .excluded = excluded},
        "2 of the nodes required by name can be used only by one-node jobs: NVLink cliques are "
        "enforced, and these nodes have no clique, or one of another block");
}

// A range that can end at one node left out the nodes without an island for every count: -N1-2 took
// a node in no block, or a heavier one, though -N1 had a better one.
TEST_F(SwappedCables, ARangeThatEndsAtOneNodeTakesAnyNode) {
    SmallCluster left(6, "6,12", {0, 0}, 1);
    left.usable.set(4);
    EXPECT_EQ(answer(left, islands + "-", {.nodes = 2, .least = 1}), "n4");
    left.usable.set(0);
    std::vector<std::uint64_t> weight(left.topology.node_count(), 5);
    weight[4] = 1;
    EXPECT_EQ(answer(left, islands + "-", {.nodes = 2, .least = 1, .weight = weight}), "n4");
    EXPECT_EQ(answer(left, islands + "-", {.nodes = 1, .weight = weight}), "n4");
    left.usable.set(1);
    EXPECT_EQ(answer(left, islands + "-", {.nodes = 2, .least = 1, .weight = weight}), "n[0-1]");
}

TEST_F(SwappedCables, ARequiredNodeWithoutAnIslandServesTheCountOfOne) {
    const NodeSet required = set_of(cluster, {4});
    EXPECT_EQ(answer(cluster, islands, {.nodes = 3, .least = 1, .required = required}), "n4");
}

TEST_F(SwappedCables, IslandsOfAnotherTopologyAreRefused) {
    EXPECT_THROW((void)with_islands(cluster.topology, "000000"), std::invalid_argument);
}

}  // namespace
}  // namespace nvl72block
