// SPDX-License-Identifier: GPL-2.0-or-later
#include "refusal/without_search.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "../placement/small_cluster.hpp"

namespace nvl72block {
namespace {

using testing::SmallCluster;

Request job(std::uint32_t nodes) {
    Request request;
    request.min_nodes = request.max_nodes = nodes;
    return request;
}

std::string text_of(RefusalReason reason, const JobNumbers& numbers = {}, std::uint32_t nodes = 8,
                    std::vector<std::uint32_t> free = {3, 2}) {
    const SmallCluster cluster(4, "4", free);
    NodeSet drained(cluster.topology.node_count());
    drained.set(3);
    State state = cluster.state();
    state.drained = drained;
    const auto refusal = refuse(cluster.topology, job(nodes), state, reason, numbers);
    return refusal ? sentence(*refusal) : "";
}

TEST(Refuse, TellsWhatIsFree) {
    using enum RefusalReason;
    EXPECT_EQ(text_of(not_enough_free), "needs 8 nodes; 5 are free, 1 drained");
    EXPECT_EQ(text_of(not_enough_free, {.kept_nodes = 2}),
              "needs 8 nodes; 5 are free, 2 kept for other jobs or reservations, 1 drained");
    EXPECT_EQ(text_of(not_enough_free, {.shares_nodes = true}, 2, {1, 0}),
              "needs 2 nodes; at most 1 is free, 1 drained");
    EXPECT_EQ(text_of(not_enough_free, {.unused_blocks = true}),
              "needs 8 nodes; 5 are free in blocks without a job, 1 drained");
    EXPECT_EQ(text_of(not_enough_free, {}, 5), "");
}

TEST(Refuse, NodesThatAreKeptMayBeTooFewAllTheSame) {
    EXPECT_EQ(text_of(RefusalReason::kept_for_others, {}, 5),
              "needs 5 nodes; 5 are free, but too few beside those kept for other jobs or "
              "reservations");
    EXPECT_EQ(text_of(RefusalReason::kept_for_others, {}, 6),
              "needs 6 nodes; 5 are free, 1 drained");
}

/// As place() counts: "usable" and "free" are the same nodes.
TEST(Refuse, NodesWithoutACliqueCountForOneNodeOnly) {
    const SmallCluster cluster(4, "4", {4, 4});
    const Topology topology =
        cluster.topology.with_islands({0, 0, no_island, no_island, 0, 0, 0, no_island});
    for (const std::uint32_t nodes : {9U, 6U}) {
        const Request request = job(nodes);
        const auto refusal =
            refuse(topology, request, cluster.state(), RefusalReason::not_enough_free);
        ASSERT_TRUE(refusal);
        EXPECT_EQ(refusal->usable_nodes,
                  std::get<Refusal>(place(topology, request, cluster.state())).usable_nodes);
        EXPECT_EQ(sentence(*refusal),
                  "needs " + std::to_string(nodes) +
                      " nodes; 5 are free; NVLink cliques are enforced: at most 3 usable in one "
                      "clique, 3 more not usable because they are in none of their block's "
                      "cliques");
    }
    EXPECT_FALSE(refuse(topology, job(1), cluster.state(), RefusalReason::not_enough_free));
}

TEST(Refuse, HasItsNumbers) {
    EXPECT_EQ(text_of(RefusalReason::node_limit_too_low, {.allowed_nodes = 4}),
              "needs 8 nodes, but its limits allow at most 4");
    EXPECT_EQ(text_of(RefusalReason::tasks_do_not_fit,
                      {.allowed_nodes = 2, .tasks = 9, .tasks_per_node = 4}),
              "has 9 tasks, too many for 2 nodes with 4 each");
    const auto waits = [](std::uint32_t seconds) {
        return text_of(RefusalReason::waits_for_fewer_blocks,
                       {.allowed_blocks = 1, .blocks_now = 3, .wait_seconds = seconds});
    };
    EXPECT_EQ(waits(659),
              "waits up to 10 min for at most 1 base block (--switches); what it could get now "
              "takes 3");
    EXPECT_EQ(waits(59).substr(0, 20), "waits up to 59 s for");
}

TEST(Refuse, EachReasonHasASentenceAndAWord) {
    std::set<std::string> texts, words;
    for (int i = 0; i <= static_cast<int>(RefusalReason::engine_failed); ++i) {
        const auto reason = static_cast<RefusalReason>(i);
        if (reason > RefusalReason::not_enough_totals) texts.insert(text_of(reason));
        words.insert(to_string(reason));
    }
    EXPECT_EQ(words.size(), static_cast<std::size_t>(RefusalReason::engine_failed) + 1);
    // Both tell here that too few nodes are free.
    EXPECT_EQ(texts.size(), static_cast<std::size_t>(RefusalReason::engine_failed) -
                                static_cast<std::size_t>(RefusalReason::not_enough_totals) - 1);
    EXPECT_EQ(texts.count("unknown reason") + words.count("unknown"), 0U);
}

}  // namespace
}  // namespace nvl72block
