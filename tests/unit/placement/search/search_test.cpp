// SPDX-License-Identifier: GPL-2.0-or-later
//
// The search beyond what an exhaustive one can judge: both of its ways must agree, and the requests
// that earlier searches answered badly.
#include "placement/search/search.hpp"

#include <gtest/gtest.h>

#include <random>

#include "../site.hpp"

namespace nvl72block {
namespace {

using testing::describe;
using testing::Site;

Request job(std::uint32_t nodes, std::uint32_t segment = 0) {
    Request request;
    request.min_nodes = request.max_nodes = nodes;
    request.segment_size = segment;
    return request;
}

std::vector<std::uint32_t> racks(std::uint32_t count, std::uint32_t free) {
    return std::vector<std::uint32_t>(count, free);
}

const Placement* placed(const Answer& answer) {
    return std::get_if<Placement>(&answer);
}

// ---- the direct search and the one with prices -------------------------------------------------

struct Cluster {
    const char* name;
    const char* sizes;
    std::uint32_t racks;
    std::uint32_t weights;
};

class BothWays : public ::testing::TestWithParam<Cluster> {};

// The direct search looks at all amounts; prices only leave out what cannot be as good. Wherever
// both say that their answer is proven it is the same one, node for node.
TEST_P(BothWays, GiveTheSameAnswer) {
    const Cluster& cluster = GetParam();
    std::mt19937 random(18);
    std::uint32_t compared = 0;
    for (int round = 0; round < 150; ++round) {
        std::vector<std::uint32_t> free(cluster.racks);
        for (std::uint32_t& nodes : free)
            nodes = random() % 3 == 0 ? 18 : static_cast<std::uint32_t>(random() % 19);
        const Site site(18, cluster.sizes, free);
        State state = site.state();
        std::vector<std::uint64_t> weight(site.topology.node_count());
        for (std::uint64_t& value : weight) value = random() % cluster.weights;
        if (cluster.weights > 1) state.weight = weight;
        const std::uint32_t segments[] = {0, 0, 1, 4, 8, 16, 18};
        const std::uint32_t segment = segments[random() % 7];
        std::uint32_t nodes = 1 + static_cast<std::uint32_t>(random() % (6 * cluster.racks));
        if (segment != 0 && nodes > segment) nodes -= nodes % segment;
        Request request = job(nodes, segment);
        request.exclusive = random() % 5 == 0;
        request.spread_segments = random() % 5 == 0;
        request.policy = random() % 3 == 0 ? Policy::compact : Policy::pack;
        if (random() % 4 == 0) request.max_base_blocks = 1 + nodes / 12;
        constexpr std::uint64_t plenty = std::uint64_t{1} << 26;
        const Answer direct =
            place(site.topology, request, state, {.steps = plenty, .direct_search = plenty});
        const Answer priced =
            place(site.topology, request, state, {.steps = plenty, .direct_search = 0});
        const std::string what = std::string("round ") + std::to_string(round);
        const auto proven = [](const Answer& answer) {
            return std::visit([](const auto& value) { return value.proven; }, answer);
        };
        if (!proven(direct) || !proven(priced)) continue;
        ++compared;
        ASSERT_EQ(placed(direct) == nullptr, placed(priced) == nullptr) << what;
        if (placed(direct) != nullptr && request.max_base_blocks == 0) {
            ASSERT_EQ(describe(site.topology, direct), describe(site.topology, priced)) << what;
        }
    }
    EXPECT_GE(compared, 130U);
}

INSTANTIATE_TEST_SUITE_P(Clusters, BothWays,
                         ::testing::Values(Cluster{"one_level", "18", 12, 1},
                                           Cluster{"one_level_weights", "18", 12, 3},
                                           Cluster{"all_levels", "18,36,72,144", 16, 1},
                                           Cluster{"all_levels_weights", "18,36,72,144", 16, 3},
                                           Cluster{"planned_16", "16,64", 12, 1}),
                         [](const auto& param) { return std::string(param.param.name); });

// ---- a budget of nothing -----------------------------------------------------------------------

TEST(SearchBudget, LeavesARightAnswerThatIsNotProven) {
    const Site site(18, "18", {18, 18, 17, 16, 16, 16, 13, 12, 11, 10, 9, 8});
    const Answer answer =
        place(site.topology, job(95), site.state(), {.steps = 0, .direct_search = 0});
    ASSERT_NE(placed(answer), nullptr);
    EXPECT_EQ(placed(answer)->nodes.count(), 95U);
    EXPECT_LE(placed(answer)->blocks.size(), 6U);
    EXPECT_FALSE(placed(answer)->proven);
}

TEST(SearchBudget, IsKept) {
    std::mt19937 random(1);
    std::vector<std::uint32_t> free(512);
    for (std::uint32_t& nodes : free) nodes = 18 - static_cast<std::uint32_t>(random() % 3);
    const Site site(18, "18", free);
    std::vector<std::uint64_t> weight(site.topology.node_count());
    for (std::uint64_t& value : weight) value = random() % 16;
    State state = site.state();
    state.weight = weight;
    const Answer answer = place(site.topology, job(1700), state, {.steps = 100'000});
    ASSERT_NE(placed(answer), nullptr);
    EXPECT_FALSE(placed(answer)->proven);
    // What goes beyond is a first answer, and what 16 weights make each amount of each rack cost.
    EXPECT_LE(placed(answer)->steps, 300'000U);
}

// ---- answers that were wrong -------------------------------------------------------------------

/// 60 of 512 idle racks have nodes that the job requires by name.
Answer with_required(std::uint32_t racks_required, std::uint32_t nodes_each, const Request& asked) {
    const Site site(18, "18", racks(512, 18));
    NodeSet required(site.topology.node_count());
    for (std::uint32_t rack = 0; rack < racks_required; ++rack)
        for (std::uint32_t node = 0; node < nodes_each; ++node) required.set(rack * 18 + node);
    Request request = asked;
    request.required = required;
    return place(site.topology, request, site.state());
}

// Each of the 60 racks must give 2 segments of 3 to cover its 4 required nodes: 360 nodes, where
// 300 were asked for. The answer had 360.
TEST(SearchRegression, NeverTakesMoreNodesThanAskedForToCoverRequiredOnes) {
    EXPECT_EQ(placed(with_required(60, 4, job(300, 3))), nullptr);
    EXPECT_EQ(placed(with_required(21, 3, job(80, 2))), nullptr);
    const Answer answer = with_required(50, 4, job(300, 3));
    ASSERT_NE(placed(answer), nullptr);
    EXPECT_EQ(placed(answer)->nodes.count(), 300U);
}

// Every other rack is light; the heavy ones have one node busy each. 34 nodes may use two racks:
// the answer was two heavy racks, because the light ones are whole.
TEST(SearchRegression, TakesLightNodesBeforeItKeepsRacksWhole) {
    std::vector<std::uint32_t> free(512);
    for (std::uint32_t rack = 0; rack < 512; ++rack) free[rack] = rack % 2 == 0 ? 18 : 17;
    const Site site(18, "18", free);
    std::vector<std::uint64_t> weight(site.topology.node_count());
    for (NodeIndex node = 0; node < weight.size(); ++node) weight[node] = node / 18 % 2;
    State state = site.state();
    state.weight = weight;
    for (const std::uint64_t steps : {std::uint64_t{0}, std::uint64_t{1} << 20}) {
        const Answer answer = place(site.topology, job(34), state, {.steps = steps});
        ASSERT_NE(placed(answer), nullptr);
        for (const BlockIndex block : placed(answer)->blocks) EXPECT_EQ(block % 2, 0U) << steps;
    }
}

// 1,152 nodes that have their racks of 18 (planned as 16) for themselves: 64 racks do; it were 128.
TEST(SearchRegression, WastesNothingOfAnExclusiveJobsRacks) {
    const Site site(18, "16,32,64,128,256,512,1024,2048,4096,8192", racks(512, 18));
    Request request = job(1152);
    request.exclusive = true;
    Answer answer = place(site.topology, request, site.state());
    ASSERT_NE(placed(answer), nullptr);
    EXPECT_EQ(placed(answer)->blocks.size(), 64U);
    request = job(500, 1);
    request.exclusive = true;
    answer = place(site.topology, request, site.state());
    ASSERT_NE(placed(answer), nullptr);
    EXPECT_EQ(placed(answer)->blocks.size(), 28U);
}

// compact puts few racks first: 300 single nodes fit 17 racks of 18; it were 150.
TEST(SearchRegression, UsesFewRacksWhereThePolicySaysSo) {
    const Site site(18, "16,32,64,128,256,512,1024,2048,4096,8192", racks(512, 18));
    Request request = job(300, 1);
    request.policy = Policy::compact;
    const Answer answer = place(site.topology, request, site.state());
    ASSERT_NE(placed(answer), nullptr);
    EXPECT_EQ(placed(answer)->blocks.size(), 17U);
}

// One lighter node per rack made the search prefer 300 racks; with at most 100 the job was refused
// for good, though 17 racks hold it.
TEST(SearchRegression, KeepsACapOnRacksWhateverTheWeights) {
    const Site site(18, "18", racks(512, 18));
    std::vector<std::uint64_t> weight(site.topology.node_count(), 1);
    for (NodeIndex node = 0; node < weight.size(); node += 18) weight[node] = 0;
    State state = site.state();
    state.weight = weight;
    Request request = job(300, 1);
    request.max_base_blocks = 100;
    const Answer answer = place(site.topology, request, state);
    ASSERT_NE(placed(answer), nullptr);
    EXPECT_LE(placed(answer)->blocks.size(), 100U);
}

// Two blocks hold five required nodes, which no segment of four can take together; with spread each
// would have to complete its own segment from the one block that is left. One segment took both of
// them, and with them five nodes: the answer had nine nodes, where eight were asked for.
TEST(SearchRegression, LeavesRequiredNodesThatASpreadSegmentCannotTake) {
    const Site site(4, "2,16", {2, 3, 0, 4});
    Request request = job(8, 4);
    request.spread_segments = true;
    NodeSet required(site.topology.node_count());
    for (const NodeIndex node : {0U, 1U, 4U, 5U, 6U}) required.set(node);
    request.required = required;
    EXPECT_EQ(placed(place(site.topology, request, site.state())), nullptr);
}

// 21 chosen racks of 18, planned as 16, hold 361 nodes.
TEST(SearchRegression, FindsTheRacksThatACapLeaves) {
    std::vector<std::uint32_t> free(100, 12);
    for (std::uint32_t rack = 0; rack < 21; ++rack) free[rack * 4] = 18;
    const Site site(18, "16", free);
    Request request = job(361);
    request.max_base_blocks = 21;
    const Answer answer = place(site.topology, request, site.state());
    ASSERT_NE(placed(answer), nullptr);
    EXPECT_EQ(placed(answer)->blocks.size(), 21U);
}

}  // namespace
}  // namespace nvl72block
