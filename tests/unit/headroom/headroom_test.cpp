// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/headroom.hpp"

#include <gtest/gtest.h>

#include "../placement/small_cluster.hpp"

namespace nvl72block {
namespace {

/// Racks of 18 with 0 to 18 free nodes.
testing::SmallCluster uneven_racks() {
    std::vector<std::uint32_t> free;
    for (std::uint32_t rack = 0; rack < 64; ++rack) free.push_back((rack * 7) % 19);
    return {18, "18,144", free};
}

TEST(Headroom, ANumberIsALowerBoundWhereTheSearchLimitWasReached) {
    const testing::SmallCluster cluster = uneven_racks();
    const FitCount without = segments_that_fit(cluster.topology, cluster.usable, 20, Budget{0});
    const FitCount full = segments_that_fit(cluster.topology, cluster.usable, 20);
    EXPECT_FALSE(without.exact);
    EXPECT_GT(without.count, 0U);
    EXPECT_TRUE(segments_that_fit(cluster.topology, cluster.usable, 9).exact);
    EXPECT_LE(without.count, full.count);
}

TEST(Headroom, ANumberThatAllFreeNodesAddUpToIsExact) {
    const testing::SmallCluster cluster(18, "18,144", std::vector<std::uint32_t>(64, 18));
    const FitCount all = largest_job(cluster.topology, cluster.usable, Budget{0});
    EXPECT_EQ(all.count, cluster.usable.count());
    EXPECT_TRUE(all.exact);
}

}  // namespace
}  // namespace nvl72block
