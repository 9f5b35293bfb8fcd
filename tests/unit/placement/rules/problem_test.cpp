// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/rules/problem.hpp"

#include <gtest/gtest.h>

#include "../small_cluster.hpp"

namespace nvl72block {
namespace {

// Four racks of 6 that pair up; the second has one node that the job must have, and one usable.
class UnitRanges : public ::testing::Test {
  protected:
    UnitRanges() { required.set(6); }

    [[nodiscard]] Tally tally() const {
        Request request;
        request.required = required;
        return {cluster.topology, request, cluster.state()};
    }

    const testing::SmallCluster cluster{6, "6,12", {6, 1, 5, 6}};
    NodeSet required{cluster.topology.node_count()};
};

TEST_F(UnitRanges, OfABaseBlockCountSegmentsInIt) {
    Problem problem;
    problem.segmented = true;
    problem.unit_nodes = 2;
    problem.scope_level = 2;
    EXPECT_EQ(unit_range(tally(), problem, 0).most, 3U);
    EXPECT_EQ(unit_range(tally(), problem, 2).most, 2U);
    problem.spread = true;
    EXPECT_EQ(unit_range(tally(), problem, 0).most, 1U);
    EXPECT_EQ(unit_range(tally(), problem, 0).least, 0U);
}

TEST_F(UnitRanges, AreEmptyWhereARequiredNodeIsInNoSegment) {
    Problem problem;
    problem.segmented = true;
    problem.unit_nodes = 2;
    problem.scope_level = 2;
    const UnitRange range = unit_range(tally(), problem, 1);
    EXPECT_EQ(range.least, 1U);
    EXPECT_EQ(range.most, 0U);
}

TEST_F(UnitRanges, OfAnAggregateCountSegmentsAcrossItsBaseBlocks) {
    Problem problem;
    problem.segmented = true;
    problem.unit_nodes = 7;
    problem.unit_level = 1;
    problem.scope_level = 2;
    EXPECT_EQ(unit_range(tally(), problem, 0).least, 1U);
    EXPECT_EQ(unit_range(tally(), problem, 0).most, 1U);
    EXPECT_EQ(unit_range(tally(), problem, 1).least, 0U);
    problem.unit_nodes = 3;  // spread is the packing's question: three segments of 3 in two racks
    problem.spread = true;
    EXPECT_EQ(unit_range(tally(), problem, 1).most, 3U);
}

}  // namespace
}  // namespace nvl72block
