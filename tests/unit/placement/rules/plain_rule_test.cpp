// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/plain_rule.hpp"

#include "../small_cluster.hpp"

namespace nvl72block {
namespace {

TEST(PlainRule, FindsLevelAndLowerBlocks) {
    const Topology topology = testing::SmallCluster::make(4, "4,8,32", 8, 0);
    const auto expect = [&](std::uint64_t nodes, std::size_t level, std::size_t lower,
                            std::uint32_t limit) {
        const PlainRule rule = plain_rule(topology, nodes);
        EXPECT_EQ(rule.level, level) << nodes;
        EXPECT_EQ(rule.lower, lower) << nodes;
        EXPECT_EQ(rule.limit, limit) << nodes;
    };
    expect(3, 0, 0, 1);
    expect(5, 1, 0, 2);
    expect(9, 2, 1, 2);
    expect(17, 2, 1, 3);
    expect(33, 3, 2, 2);  // larger than any block: the whole
}

}  // namespace
}  // namespace nvl72block
