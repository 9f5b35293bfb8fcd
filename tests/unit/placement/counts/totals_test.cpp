// SPDX-License-Identifier: GPL-2.0-or-later
//
// CPUs and GPUs in total: with a node count, a range, or neither.
#include <gtest/gtest.h>

#include <algorithm>

#include "../small_cluster.hpp"

namespace nvl72block {
namespace {

using testing::describe;
using testing::SmallCluster;

/// A cluster whose nodes have CPUs and GPUs.
struct Equipped {
    SmallCluster cluster;
    std::vector<std::uint32_t> cpus;
    std::vector<std::uint32_t> gpus;

    [[nodiscard]] State state() const {
        State state = cluster.state();
        state.cpus = cpus;
        state.gpus = gpus;
        return state;
    }
    [[nodiscard]] Answer place(const Request& request, const Budget& budget = {}) const {
        return nvl72block::place(cluster.topology, request, state(), budget);
    }
    /// Its nodes, or the refusal's sentence.
    [[nodiscard]] std::string answer(const Request& request) const {
        return describe(cluster.topology, place(request));
    }
    /// Whether the CPUs and GPUs of a placement suffice.
    [[nodiscard]] bool holds(const Placement& placement, const Request& request) const {
        std::uint64_t sums[] = {0, 0};
        placement.nodes.for_each([&](NodeIndex node) {
            sums[0] += cpus.empty() ? 0 : cpus[node];
            sums[1] += gpus.empty() ? 0 : gpus[node];
        });
        return sums[0] >= request.cpus && sums[1] >= request.gpus;
    }
    /// How many nodes; 0 for a refusal.
    [[nodiscard]] std::uint32_t count(const Request& request) const {
        const Answer answer = place(request);
        const auto* placement = std::get_if<Placement>(&answer);
        return placement == nullptr ? 0 : placement->nodes.count();
    }
};

Equipped with_gpus(SmallCluster cluster, std::uint32_t gpus) {
    const std::size_t nodes = cluster.topology.node_count();
    return {std::move(cluster), {}, std::vector<std::uint32_t>(nodes, gpus)};
}

Request sized(std::uint32_t most) {
    Request request;
    request.max_nodes = most;
    request.sized_by_totals = true;
    return request;
}

Request job(std::uint32_t least, std::uint32_t most) {
    Request request;
    request.min_nodes = least;
    request.max_nodes = most;
    return request;
}

// 35 nodes have to lie in two racks, 37 may use three. The search for a node count stopped at 35,
// where the nodes are missing: 140 GPUs were refused, 136 and 145 placed.
TEST(Totals, ALargerCountMayUseMoreLowerBlocks) {
    const Equipped drained =
        with_gpus(SmallCluster(18, "18", std::vector<std::uint32_t>(8, 17)), 4);
    Request request = sized(144);
    for (const auto& [gpus, nodes] :
         {std::pair{136U, 34U}, std::pair{140U, 37U}, std::pair{145U, 37U}}) {
        request.gpus = gpus;
        EXPECT_EQ(drained.count(request), nodes) << gpus << " GPUs";
    }
}

// The same with segments: four nodes lack CPUs, six have them.
TEST(Totals, MoreSegmentsAreTriedUntilTheTotalsAreHeld) {
    Equipped mixed{SmallCluster(4, "4,8", {3, 1, 3, 1}), std::vector<std::uint32_t>(16, 4), {}};
    mixed.cpus[4] = mixed.cpus[12] = 8;
    Request request = sized(16);
    request.segment_size = 2;
    request.cpus = 16;
    EXPECT_EQ(mixed.count(request), 4U);
    request.cpus = 24;
    EXPECT_EQ(mixed.answer(request),
              "needs 24 CPUs in the whole cluster; no set of nodes there has as many; 8 nodes are "
              "usable");
    Equipped three{
        SmallCluster(4, "4,8", {2, 1, 2, 1, 2, 0}), std::vector<std::uint32_t>(24, 4), {}};
    three.cpus[4] = three.cpus[12] = 8;
    EXPECT_EQ(three.count(request), 6U);
}

// --gpus=8 within 1 to 8 nodes took eight nodes of one GPU each.
TEST(Totals, ARangeSizedByCapacityTakesTheFewestNodes) {
    const Equipped idle = with_gpus(SmallCluster(18, "18", {18, 18}), 4);
    Request request = sized(8);
    request.gpus = 8;
    EXPECT_EQ(idle.answer(request), "n[0-1]");
    request.min_nodes = 3;
    EXPECT_EQ(idle.answer(request), "n[0-2]");
}

// The block that holds the job most tightly has too few GPUs; the other was found by a search only.
TEST(Totals, TheRichNodesTakeFewSteps) {
    Equipped two = with_gpus(SmallCluster(18, "18,72", {16, 16, 16, 16, 17, 17, 17, 17}), 4);
    std::fill(two.gpus.begin() + 72, two.gpus.end(), 8);
    for (const bool is_sized : {false, true})
        for (const std::uint64_t steps : {1500, 100'000}) {
            Request request = job(is_sized ? 1 : 48, 48);
            request.sized_by_totals = is_sized;
            request.segment_size = 24;
            request.gpus = 384;
            const Answer answer = two.place(request, Budget{.steps = steps});
            const auto* placement = std::get_if<Placement>(&answer);
            ASSERT_NE(placement, nullptr) << steps << " steps";
            EXPECT_TRUE(two.holds(*placement, request));
        }
}

// The count was settled before the totals were looked at: five nodes elsewhere, with too few CPUs.
TEST(Totals, ARangeTakesTheLargestCountThatHoldsThem) {
    Equipped two{SmallCluster(5, "5", {4, 5}), {10, 10, 10, 10, 0, 7, 7, 7, 7, 7}, {}};
    Request request = job(4, 5);
    request.cpus = 40;
    EXPECT_EQ(two.answer(request), "n[0-3]");
    request.cpus = 35;
    EXPECT_EQ(two.answer(request), "n[5-9]");
    request.cpus = 41;
    EXPECT_EQ(two.answer(request),
              "needs 41 CPUs in the whole cluster; no set of nodes there has as many; 9 nodes are "
              "usable");
}

// CPUs were counted in 1/65536 of the total, so that among 10,000 the nodes of 13 and 12 were
// equal.
TEST(Totals, CountsEveryCpu) {
    std::vector<std::uint32_t> cpus(8, 12);
    cpus[3] = cpus[6] = 13;
    Equipped cluster{SmallCluster(8, "8", {8}), cpus, {}};
    Request request = job(2, 2);
    request.cpus = 26;
    EXPECT_EQ(cluster.answer(request), "n[3,6]");
    std::vector<std::uint32_t> large(8, 1000000000);
    large[2] = large[5] = 1000000001;
    Equipped rich{SmallCluster(8, "8", {8}), large, {}};
    request.cpus = 2000000002;
    EXPECT_EQ(rich.answer(request), "n[2,5]");
}

// Neither the nodes with the most CPUs nor those with the most GPUs hold both totals.
TEST(Totals, BothResourcesAreMixedUntilBothAreHeld) {
    //                         most CPUs  most GPUs  between
    Equipped cluster{SmallCluster(2, "2", {2, 2, 2}), {20, 20, 1, 1, 13, 13}, {0, 0, 9, 9, 5, 5}};
    Request request = job(2, 2);
    request.cpus = 22;
    request.gpus = 8;
    EXPECT_EQ(cluster.answer(request), "n[4-5]");
    request.gpus = 11;
    const Answer refused = cluster.place(request);
    ASSERT_TRUE(std::holds_alternative<Refusal>(refused))
        << describe(cluster.cluster.topology, refused);
    request.gpus = 18;
    request.cpus = 40;
    const Answer neither = cluster.place(request);
    ASSERT_TRUE(std::holds_alternative<Refusal>(neither));
    EXPECT_TRUE(std::get<Refusal>(neither).proven) << "more than any mix has";
}

// A mix takes nodes of one kind alone, or the first ones where both kinds count the same. As many
// of each kind hold both totals: they were refused.
TEST(Totals, NodesOfBothKindsHoldBothTotals) {
    Equipped cluster{SmallCluster(8, "8", {8, 8}), {}, {}};
    for (NodeIndex node = 0; node < 16; ++node) {
        cluster.cpus.push_back(node % 8 < 4 ? 144 : 72);
        cluster.gpus.push_back(node % 8 < 4 ? 4 : 8);
    }
    for (const std::uint32_t nodes : {2U, 4U, 6U})
        for (const std::uint32_t segment : {0U, 2U})
            for (const bool is_sized : {false, true}) {
                Request request = job(is_sized ? 1 : nodes, nodes);
                request.sized_by_totals = is_sized;
                request.segment_size = segment;
                request.cpus = nodes * 108;
                request.gpus = nodes * 6;
                const Answer answer = cluster.place(request);
                ASSERT_TRUE(std::holds_alternative<Placement>(answer))
                    << nodes << ", " << segment << ": "
                    << describe(cluster.cluster.topology, answer);
                EXPECT_TRUE(cluster.holds(std::get<Placement>(answer), request));
            }
}

// Nine nodes of each rack have eight GPUs, ten of the fifth and all of the last. The richest 30
// nodes lie in three racks or more; within two racks the first ones were taken.
TEST(Totals, WithinALimitOnBaseBlocksThoseOfTheRichestNodes) {
    Equipped cluster = with_gpus(SmallCluster(18, "18", std::vector<std::uint32_t>(6, 18)), 4);
    for (NodeIndex node = 0; node < 108; ++node)
        if (node % 18 < (node < 72 ? 9U : node < 90 ? 10U : 18U)) cluster.gpus[node] = 8;
    Request request = job(30, 30);
    request.segment_size = 3;  // without segments 30 nodes lie in two racks anyway
    request.max_base_blocks = 2;
    request.gpus = 28 * 8 + 2 * 4;
    for (const std::uint64_t budget : {0U, 1U, 10U, 100'000U}) {
        const Answer answer = cluster.place(request, {budget});
        ASSERT_TRUE(std::holds_alternative<Placement>(answer)) << budget;
        EXPECT_TRUE(cluster.holds(std::get<Placement>(answer), request));
        EXPECT_EQ(std::get<Placement>(answer).blocks, (std::vector<BlockIndex>{4, 5}));
    }
    // A node required elsewhere leaves one rack to choose.
    NodeSet required(108);
    required.set(0);
    request.required = required.view();
    EXPECT_EQ(cluster.answer(request).substr(0, 5), "needs");
    request.gpus = (18 + 9) * 8 + 3 * 4;
    for (const std::uint64_t budget : {0U, 1U, 10U, 100'000U}) {
        const Answer answer = cluster.place(request, {budget});
        ASSERT_TRUE(std::holds_alternative<Placement>(answer)) << budget;
        EXPECT_EQ(std::get<Placement>(answer).blocks, (std::vector<BlockIndex>{0, 5}));
    }
}

// More kinds of nodes than a search tells apart: the answer holds the totals, and a refusal is
// proven only where the rounded numbers prove it.
TEST(Totals, ManyKindsOfNodes) {
    std::vector<std::uint32_t> cpus;
    for (std::uint32_t node = 0; node < 64; ++node) cpus.push_back(1 + (node * 37) % 101);
    Equipped cluster{SmallCluster(8, "8,64", std::vector<std::uint32_t>(8, 8)), cpus, {}};
    std::vector<std::uint32_t> sorted = cpus;
    std::sort(sorted.rbegin(), sorted.rend());
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < 20; ++i) most += sorted[i];
    Request request = job(20, 20);
    request.cpus = most * 2;
    const Answer refused = cluster.place(request);
    ASSERT_TRUE(std::holds_alternative<Refusal>(refused));
    EXPECT_TRUE(std::get<Refusal>(refused).proven);
    request.cpus = most / 2;
    EXPECT_EQ(cluster.count(request), 20U);
}

// Any budget: what is placed holds the totals, and no refusal is called proven that is not.
TEST(Totals, HoldAtAnyBudget) {
    const Equipped drained =
        with_gpus(SmallCluster(18, "18", std::vector<std::uint32_t>(8, 17)), 4);
    Request request = sized(144);
    request.gpus = 140;
    for (const std::uint64_t budget : {0U, 1U, 10U, 100U, 1000U}) {
        const Answer answer = drained.place(request, {budget});
        if (const auto* refusal = std::get_if<Refusal>(&answer))
            EXPECT_FALSE(refusal->proven) << budget;
        else
            EXPECT_GE(std::get<Placement>(answer).nodes.count(), 37U) << budget;
    }
}

// Of the counts that the offers allow only the largest holds the total. It was not taken for the
// last one, so that nothing was tried without a budget.
TEST(Totals, TheLastCountThatMayHoldThemIsTriedAtAnyBudget) {
    const Equipped drained =
        with_gpus(SmallCluster(18, "18", std::vector<std::uint32_t>(8, 17)), 4);
    for (const bool is_sized : {false, true})
        for (const std::uint64_t budget : {0U, 1U, 10U, 1000U}) {
            Request request = job(1, 37);
            request.sized_by_totals = is_sized;
            request.gpus = 140;
            const Answer answer = drained.place(request, {budget});
            ASSERT_TRUE(std::holds_alternative<Placement>(answer)) << budget << ", " << is_sized;
            EXPECT_EQ(std::get<Placement>(answer).nodes.count(), 37U);
        }
}

TEST(Totals, OutsideAllBlocksTheNodesThatHaveThem) {
    Equipped cluster{SmallCluster(2, "2", {1, 1}, 4), {1, 1, 1, 1, 1, 8, 1, 8}, {}};
    Request request = job(2, 2);
    request.cpus = 16;
    EXPECT_EQ(cluster.answer(request), "n[5,7]");
    request = sized(4);
    request.cpus = 9;
    EXPECT_EQ(cluster.count(request), 2U);
}

// As in blocks: as many nodes of each kind hold both totals, and were refused.
TEST(Totals, OutsideAllBlocksNodesOfBothKinds) {
    Equipped cluster{SmallCluster(2, "2", {1, 1}, 8), {1, 1, 1, 1}, {1, 1, 1, 1}};
    for (NodeIndex node = 0; node < 8; ++node) {
        cluster.cpus.push_back(node < 4 ? 144 : 72);
        cluster.gpus.push_back(node < 4 ? 4 : 8);
    }
    for (const bool is_sized : {false, true}) {
        Request request = job(is_sized ? 1 : 4, 4);
        request.sized_by_totals = is_sized;
        request.cpus = 4 * 108;
        request.gpus = 4 * 6;
        const Answer answer = cluster.place(request);
        ASSERT_TRUE(std::holds_alternative<Placement>(answer))
            << describe(cluster.cluster.topology, answer);
        EXPECT_TRUE(cluster.holds(std::get<Placement>(answer), request));
        EXPECT_FALSE(std::get<Placement>(answer).proven);
    }
}

// One node outside: by one resource, or by both together, the best one tells that there is none.
// The third node would do, and is the best by nothing that is looked at.
TEST(Totals, OutsideAllBlocksARefusalIsProvenWhereTheBestNodesTell) {
    const Equipped cluster{
        SmallCluster(2, "2", {1, 1}, 3), {1, 1, 1, 1, 8, 1, 4}, {1, 1, 1, 1, 1, 8, 4}};
    const auto is_proven = [&](std::uint64_t cpus, std::uint64_t gpus) {
        Request request = job(1, 1);
        request.cpus = cpus;
        request.gpus = gpus;
        const Answer answer = cluster.place(request);
        return std::holds_alternative<Refusal>(answer) && std::get<Refusal>(answer).proven;
    };
    EXPECT_TRUE(is_proven(9, 1));
    EXPECT_TRUE(is_proven(1, 9));
    EXPECT_TRUE(is_proven(7, 7));
    EXPECT_FALSE(is_proven(4, 4));
}

}  // namespace
}  // namespace nvl72block
