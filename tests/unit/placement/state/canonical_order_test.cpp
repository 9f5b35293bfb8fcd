// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../small_cluster.hpp"
#include "placement/state/tally.hpp"

namespace nvl72block {
namespace {

using ::testing::ElementsAre;
using testing::SmallCluster;

std::vector<BlockIndex> order_of(const SmallCluster& cluster) {
    return canonical_order(Tally(cluster.topology, Request{}, cluster.state()));
}

TEST(CanonicalOrder, SortsBlocksInsideTheirAggregate) {
    EXPECT_THAT(order_of(SmallCluster(4, "4,8", {4, 1, 2, 3})), ElementsAre(1, 0, 2, 3));
}

TEST(CanonicalOrder, SortsAggregatesByWhatTheyOffer) {
    EXPECT_THAT(order_of(SmallCluster(4, "4,8", {3, 2, 4, 1})), ElementsAre(3, 2, 1, 0));
}

TEST(CanonicalOrder, KeepsFileOrderAmongEquals) {
    EXPECT_THAT(order_of(SmallCluster(4, "4,8,16", {4, 4, 4, 4, 4, 4, 4, 4})),
                ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

// An aggregate that lacks base blocks must stay last, or its members would move to another one.
TEST(CanonicalOrder, LeavesAnIncompleteAggregateLast) {
    EXPECT_THAT(order_of(SmallCluster(4, "4,8", {4, 4, 4, 3, 0})), ElementsAre(3, 2, 0, 1, 4));
}

TEST(CanonicalOrder, IsTheSameForEveryOrderOfEqualBlocks) {
    const SmallCluster a(4, "4,8,16", {4, 1, 2, 2, 3, 3, 0, 4});
    const SmallCluster b(4, "4,8,16", {0, 4, 3, 3, 2, 2, 1, 4});
    const Tally one(a.topology, Request{}, a.state());
    const Tally two(b.topology, Request{}, b.state());
    const Tally x(one, canonical_order(one));
    const Tally y(two, canonical_order(two));
    for (BlockIndex block = 0; block < 8; ++block) EXPECT_EQ(x.free(0, block), y.free(0, block));
    EXPECT_EQ(x.free(1, 0), y.free(1, 0));
}

}  // namespace
}  // namespace nvl72block
