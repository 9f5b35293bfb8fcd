// SPDX-License-Identifier: GPL-2.0-or-later
//
// No offered count is passed over: every count between two that a walk visits is asked for.
#include "placement/counts/offered_counts.hpp"

#include <gtest/gtest.h>

#include <random>

#include "../small_cluster.hpp"

namespace nvl72block {
namespace {

using testing::names;
using testing::SmallCluster;

TEST(OfferedCounts, NoneIsPassedOver) {
    std::mt19937 random(18);
    const auto below = [&](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    std::uint64_t jumps = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const std::uint32_t block_nodes = 4 + below(3);  // at least the planning size of 4
        std::vector<std::uint32_t> free;
        for (std::uint32_t block = 0; block < 16; ++block)
            free.push_back(below(4) == 0 ? block_nodes : below(block_nodes + 1));
        const char* sizes[] = {"4", "4,8", "4,16", "4,8,16,32"};
        const SmallCluster cluster(block_nodes, sizes[below(4)], free);
        NodeSet required(cluster.topology.node_count());
        if (below(2) == 0)
            cluster.usable.for_each([&](NodeIndex node) {
                if (below(9) == 0) required.set(node);
            });
        Request request;
        request.min_nodes = 1;
        request.max_nodes = static_cast<std::uint32_t>(cluster.topology.node_count());
        request.max_base_blocks = below(3) == 0 ? 1 + below(12) : 0;
        request.required = required.view();
        Effort effort;
        const Decision decision(cluster.topology, request, cluster.state(), effort);
        const std::size_t level = below(3);
        if (level > cluster.topology.levels().size()) continue;
        const OfferedCounts counts(decision, level);
        const auto offered = [&](std::uint64_t count) {  // with room for what is required
            const Problem problem = decision.problem(count, level);
            return counts.has(problem) && decision.least(problem) <= count;
        };
        const std::uint64_t most = decision.tally().in_blocks();
        for (std::uint64_t count = 1; count <= most; ++count) {
            const Problem problem = decision.problem(count, level);
            if (counts.has(problem)) continue;
            const std::uint64_t above = counts.above(problem);
            const std::uint64_t under = counts.below(problem);
            ASSERT_GT(above, count);
            ASSERT_LT(under, count);
            jumps += above > count + 2 * cluster.topology.planning_size() ? 1 : 0;
            for (std::uint64_t other = under + 1; other < std::min(above, most + 1); ++other)
                ASSERT_FALSE(offered(other))
                    << "trial " << trial << ": " << other << " passed over from " << count
                    << ", level " << level << ", at most " << request.max_base_blocks << " of "
                    << ::testing::PrintToString(free) << " with required " << names(required);
        }
    }
    EXPECT_GT(jumps, 1000U);
}

}  // namespace
}  // namespace nvl72block
