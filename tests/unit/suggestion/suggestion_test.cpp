// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/suggestion.hpp"

#include <gtest/gtest.h>

#include "../placement/small_cluster.hpp"

namespace nvl72block {
namespace {

using testing::SmallCluster;

Request job(std::uint32_t nodes, std::uint32_t segment = 0) {
    Request request;
    request.min_nodes = request.max_nodes = nodes;
    request.segment_size = segment;
    return request;
}

std::vector<std::string> found(const SmallCluster& cluster, const Request& request,
                               const JobFacts& facts = {}, const SuggestionEffort& effort = {}) {
    EXPECT_EQ(place(cluster.topology, request, cluster.state()).index(), 1U);
    std::vector<std::string> texts;
    for (const SuggestedChange& change :
         suggested_changes(cluster.topology, request, cluster.state(), facts, effort))
        texts.push_back(to_string(change));
    return texts;
}

using Texts = std::vector<std::string>;

TEST(Suggestion, FewerWholeSegmentsOrSmallerOnes) {
    const SmallCluster racks(18, "18", {17, 16, 9, 18});
    EXPECT_EQ(found(racks, job(64, 16)), (Texts{"--nodes=48"}));
    EXPECT_EQ(found(racks, job(56, 14)), (Texts{"--nodes=42", "--segment=8"}));
}

TEST(Suggestion, NothingWhereNothingFits) {
    EXPECT_EQ(found({4, "4", {0, 0}}, job(2)), Texts{});
}

TEST(Suggestion, NoFewerNodesThanThePartitionTakes) {
    const SmallCluster racks(4, "4", {3, 2});
    const Request request = job(4);
    EXPECT_EQ(found(racks, request, {.least_nodes = 3}), (Texts{"--nodes=3", "--segment=2"}));
    EXPECT_EQ(found(racks, request, {.least_nodes = 4}), (Texts{"--segment=2"}));
}

TEST(Suggestion, TasksAndGpusShrinkWithTheNodes) {
    const SmallCluster racks(4, "4", {3, 0});
    const std::vector<std::uint32_t> cpus(8, 10), gpus(8, 4);
    State state = racks.state();
    state.cpus = cpus;
    state.gpus = gpus;
    Request request = job(4);
    request.cpus = 40;
    request.gpus = 15;
    const auto changes = suggested_changes(racks.topology, request, state, {.tasks = 10});
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(to_string(changes[0]), "--nodes=3 --ntasks=7 --gpus=11");
    EXPECT_EQ(changes[0].request.cpus, 30U);
}

/// As many tasks as nodes may be what sbatch made of --nodes: then it makes fewer of fewer nodes.
TEST(Suggestion, TasksThatMayFollowAreNamedOnlyWhereTheyDoNotFit) {
    const SmallCluster racks(4, "4", {3, 0});
    Request request = job(4);
    request.cpus = 24;
    const JobFacts facts{.tasks = 4, .tasks_may_follow = true};
    for (const std::uint32_t each : {8, 6}) {
        const std::vector<std::uint32_t> cpus(8, each);
        State state = racks.state();
        state.cpus = cpus;
        const auto changes = suggested_changes(racks.topology, request, state, facts);
        ASSERT_EQ(changes.size(), 1U);
        EXPECT_EQ(to_string(changes[0]), each == 8 ? "--nodes=3" : "--nodes=3 --ntasks=3");
    }
}

TEST(Suggestion, WithoutAnOptionOfSegments) {
    Request request = job(4, 2);
    request.spread_segments = true;
    EXPECT_EQ(found({4, "4", {4, 0}}, request), (Texts{"--nodes=2", "without --spread-segments"}));
    request.consolidate_segments = true;
    EXPECT_EQ(found({4, "4,8", {4, 0, 2, 0}}, request),
              (Texts{"--nodes=2", "without --spread-segments", "without --consolidate-segments"}));
    request = job(6, 2);
    request.consolidate_segments = true;
    EXPECT_EQ(found({4, "4,8", {4, 0, 2, 0}}, request),
              (Texts{"--nodes=4", "without --consolidate-segments"}));
}

TEST(Suggestion, WithoutBlocksForItself) {
    const SmallCluster racks(4, "4", {0, 0}), in_use(4, "4", {3, 0});
    Request request = job(3);
    request.exclusive = true;
    EXPECT_EQ(found(racks, request), Texts{});
    EXPECT_EQ(found(racks, request, {.without_exclusive = in_use.state()}),
              (Texts{"without --exclusive=topo"}));
}

TEST(Suggestion, AsksNoMoreThanItMay) {
    const SmallCluster racks(4, "4", {1, 1, 1, 1});
    const Request request = job(4);
    EXPECT_EQ(found(racks, request, {}, {.sizes = 2}), (Texts{"--nodes=1", "--segment=1"}));
    EXPECT_EQ(found(racks, request, {}, {.sizes = 1, .counts = 0}), Texts{});
}

}  // namespace
}  // namespace nvl72block
