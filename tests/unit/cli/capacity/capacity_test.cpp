// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/capacity/capacity.hpp"

#include <gtest/gtest.h>

#include "../../placement/small_cluster.hpp"

namespace nvl72block::cli {
namespace {

/// Blocks of four racks: the first one holds a segment of 6, of which each rack gives 3; in the
/// others, which have more nodes free, no two racks have 6.
testing::SmallCluster misleading_blocks(std::uint32_t others) {
    std::vector<std::uint32_t> free{3, 3, 0, 0};
    for (std::uint32_t i = 0; i < others; ++i) free.insert(free.end(), {2, 2, 2, 2});
    return {4, "4,16", free};
}

TEST(Capacity, ABlockThatWasNotAskedIsSaidToBePossible) {
    const testing::SmallCluster few = misleading_blocks(3);
    const Capacity exact = capacity(few.topology, few.usable, {6});
    EXPECT_EQ(exact.segments[0].in_one_block[1].count, 1U);
    EXPECT_TRUE(exact.segments[0].in_one_block[1].exact);
    const testing::SmallCluster many = misleading_blocks(20);
    const Capacity open = capacity(many.topology, many.usable, {6});
    EXPECT_EQ(open.segments[0].in_one_block[1].count, 0U);
    EXPECT_FALSE(open.segments[0].in_one_block[1].exact);
}

}  // namespace
}  // namespace nvl72block::cli
