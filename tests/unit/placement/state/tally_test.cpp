// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/tally.hpp"

#include <gtest/gtest.h>

#include "../small_cluster.hpp"

namespace nvl72block {
namespace {

TEST(WeightClass, IsTheLastOneForAllThatAreHeavier) {
    const std::uint64_t classes[] = {1, 5, 9};
    EXPECT_EQ(weight_class_of(classes, 1), 0U);
    EXPECT_EQ(weight_class_of(classes, 5), 1U);
    EXPECT_EQ(weight_class_of(classes, 9), 2U);
    EXPECT_EQ(weight_class_of(classes, 100), 2U);
}

TEST(WeightClass, IsTheOnlyOneWhereWeightsDoNotMatter) {
    const std::uint64_t classes[] = {0};
    EXPECT_EQ(weight_class_of(classes, 0), 0U);
    EXPECT_EQ(weight_class_of(classes, 7), 0U);
}

// Twenty weights in one block: the sixteenth class takes the five heaviest nodes.
TEST(Tally, CountsTheHeaviestNodesAsOneClass) {
    const testing::SmallCluster cluster(20, "20", {20});
    std::vector<std::uint64_t> weights;
    for (std::uint64_t node = 0; node < 20; ++node) weights.push_back(100 - node);
    State state = cluster.state();
    state.weight = weights;
    Request request;
    NodeSet required(cluster.topology.node_count());
    required.set(0);
    required.set(19);
    request.required = required;
    const Tally tally(cluster.topology, request, state);
    ASSERT_EQ(tally.weight_classes().size(), max_weight_classes);
    EXPECT_TRUE(tally.weights_merged());
    EXPECT_EQ(tally.weight_classes().front(), 81U);
    EXPECT_EQ(tally.class_offers(0)[0].free, 1U);
    EXPECT_EQ(tally.class_offers(0)[0].required, 1U);
    EXPECT_EQ(tally.class_offers(0)[max_weight_classes - 1].free, 5U);
    EXPECT_EQ(tally.class_offers(0)[max_weight_classes - 1].required, 1U);
}

}  // namespace
}  // namespace nvl72block
