// SPDX-License-Identifier: GPL-2.0-or-later
//
// The bounds against all choices of base blocks in small clusters.
#include "placement/bound/offer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>

#include "../small_cluster.hpp"
#include "placement/counts/decision.hpp"

namespace nvl72block {
namespace {

using testing::SmallCluster;

constexpr std::uint32_t block_count = 8;

/// The most nodes of any choice of base blocks that keeps both limits of a plain job.
std::uint32_t most_of_any_choice(const Tally& tally, const Problem& problem) {
    std::uint32_t most = 0;
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope)
        for (unsigned choice = 0; choice < 1U << block_count; ++choice) {
            std::uint32_t nodes = 0;
            std::set<std::uint32_t> lower;
            bool inside = true;
            for (std::uint32_t block = 0; block < block_count; ++block) {
                if ((choice >> block & 1U) == 0) continue;
                const Vertices range = tally.blocks(problem.scope_level, scope);
                inside = inside && range.first <= block && block < range.last;
                nodes += tally.free(0, block);
                if (problem.limit != 0)
                    lower.insert(block >>
                                 tally.topology().exponent_between(0, problem.limited_level));
            }
            if (!inside || (problem.limit != 0 && lower.size() > problem.limit)) continue;
            if (problem.max_base_blocks != 0 &&
                static_cast<std::uint32_t>(std::popcount(choice)) > problem.max_base_blocks)
                continue;
            most = std::max(most, nodes);
        }
    return most;
}

TEST(Offer, IsTheMostOfAnyChoiceOrWithBothLimitsMostlyAndNeverLess) {
    std::mt19937 random(1);
    int both = 0, exact = 0;
    for (int round = 0; round < 150; ++round) {
        std::vector<std::uint32_t> free(block_count);
        for (std::uint32_t& nodes : free) nodes = static_cast<std::uint32_t>(random() % 5);
        const SmallCluster cluster(4, round % 2 == 0 ? "4,8,16,32" : "4,8,32", free);
        const State state = cluster.state();
        for (std::uint32_t nodes = 1; nodes <= cluster.usable.count(); nodes += 2) {
            Request request;
            request.min_nodes = request.max_nodes = nodes;
            request.max_base_blocks = static_cast<std::uint32_t>(random() % 6);
            Effort effort;
            const Decision decision(cluster.topology, request, state, effort);
            const Problem problem = decision.problem(nodes);
            const std::uint32_t bound = most_nodes(decision.tally(), problem);
            const std::uint32_t most = most_of_any_choice(decision.tally(), problem);
            if (problem.limit == 0 || problem.limited_level == 0 || problem.max_base_blocks == 0) {
                EXPECT_EQ(bound, most);
                continue;
            }
            EXPECT_GE(bound, most);
            if (bound < nodes && most < nodes) continue;  // it fits no more, whatever the bound
            ++both;
            exact += bound == most ? 1 : 0;
        }
    }
    EXPECT_GE(both, 100);
    EXPECT_GE(exact * 10, both * 9) << exact << " of " << both;
}

// Two racks of four base blocks hold 44 nodes, and so do five base blocks; five in two racks
// hold 42.
TEST(Offer, BothLimitsTogetherAreTighterThanEach) {
    const SmallCluster cluster(10, "10,40,160",
                               {8, 8, 8, 8, 10, 1, 1, 0,  //
                                10, 1, 1, 0, 10, 1, 1, 0});
    Request request;
    request.min_nodes = request.max_nodes = 43;
    request.max_base_blocks = 5;
    const State state = cluster.state();
    Effort effort;
    const Decision decision(cluster.topology, request, state, effort);
    Problem problem = decision.problem(43);
    EXPECT_EQ(most_nodes(decision.tally(), problem), 42U);
    problem.max_base_blocks = 0;
    EXPECT_EQ(most_nodes(decision.tally(), problem), 44U);
}

}  // namespace
}  // namespace nvl72block
