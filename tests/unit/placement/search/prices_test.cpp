// SPDX-License-Identifier: GPL-2.0-or-later
//
// What prices may leave out: never an amount of an answer that is as good as the best one known.
// Judged by listing all answers of small clusters.
#include "placement/search/prices.hpp"

#include <gtest/gtest.h>

#include <random>

#include "../small_cluster.hpp"
#include "placement/counts/decision.hpp"
#include "placement/preference/taken_nodes.hpp"
#include "placement/search/greedy_search.hpp"

namespace nvl72block {
namespace {

using testing::SmallCluster;

/// Everything that prices of one scope need, in the order in which it is made.
struct Priced {
    Priced(const Decision& decision, const Request& request, const Problem& problem,
           std::uint32_t scope)
        : layout(decision.tally(), request, problem.nodes, Aim::preferences, island_rule(problem)),
          tree(decision.tally(), problem, {scope, scope + 1}),
          costs(block_costs(layout, tree, effort)),
          prices(layout, tree, costs, effort) {
        prices.price_limits();
    }

    Effort effort;
    CostLayout layout;
    ShapeTree tree;
    std::vector<LabelTable> costs;
    Prices prices;
};

/// Calls visit(taken) for every way to take `rest` units from the blocks from `block` on.
template <typename Visit>
void for_each_way(const Tally& tally, const Problem& problem, std::vector<std::uint32_t>& taken,
                  std::size_t block, std::uint32_t rest, Visit& visit) {
    if (block == taken.size()) {
        if (rest == 0) visit();
        return;
    }
    const UnitRange range = block_range(tally, problem, static_cast<BlockIndex>(block));
    for (std::uint32_t units = range.least; units <= std::min(range.most, rest); ++units) {
        taken[block] = units;
        for_each_way(tally, problem, taken, block + 1, rest - units, visit);
    }
    taken[block] = 0;
}

/// Units and the lower blocks' limit aside, `taken` is a division of base-block shares.
Division division_of(const Problem& problem, const std::vector<std::uint32_t>& taken) {
    Division division;
    for (std::uint32_t block = 0; block < taken.size(); ++block)
        if (taken[block] > 0) division.shares.push_back({block, taken[block] * problem.unit_nodes});
    division.close_segment();
    return division;
}

bool keeps_limit(const Tally& tally, const Problem& problem, const Division& division) {
    if (problem.limit == 0) return true;
    std::vector<std::uint8_t> used(tally.vertices(problem.limited_level));
    const unsigned exponent = tally.topology().levels()[problem.limited_level].exponent;
    for (const Share& share : division.shares) used[share.block >> exponent] = 1;
    return std::count(used.begin(), used.end(), 1) <= problem.limit;
}

/// Whether the vertex of level 1 that a base block lies in gives something. One that does not may
/// lose less than its blocks do.
bool is_above_used(const std::vector<std::uint32_t>& taken, std::size_t scope_level,
                   const Topology& topology, std::uint32_t block) {
    if (scope_level == 1) return true;
    const std::uint32_t vertex = block >> topology.levels()[1].exponent;
    for (std::uint32_t other = 0; other < taken.size(); ++other)
        if (other >> topology.levels()[1].exponent == vertex && taken[other] > 0) return true;
    return false;
}

/// The loss of each base block in a way, and their sum, stay within the slack.
void expect_kept(const Topology& topology, const Priced& priced, const Problem& problem,
                 const CostLayout& layout, const std::vector<std::uint32_t>& taken,
                 const std::string& what) {
    std::int64_t sum = 0;
    for (std::uint32_t block = 0; block < taken.size(); ++block) {
        if (!is_above_used(taken, problem.scope_level, topology, block)) continue;
        const std::uint32_t shape = priced.tree.shape_of(0, block);
        Cost cost{};
        layout.add_block(cost, block, taken[block] * problem.unit_nodes);
        const bool unbroken = !layout.breaks(cost.data()) && priced.prices.below_whole(0, shape);
        const std::int64_t loss =
            priced.prices.most_worth(0, shape, !unbroken) -
            priced.prices.worth_of_block(taken[block] * problem.unit_nodes, cost.data());
        ASSERT_LE(loss, priced.prices.slack()) << what << ", block " << block;
        sum += loss;
    }
    if (problem.scope_level == 1) {
        ASSERT_LE(sum, priced.prices.slack()) << what;
    }
}

struct Shape {
    const char* name;
    const char* sizes;
    std::uint32_t racks;
};

class PricesOfRandomClusters : public ::testing::TestWithParam<Shape> {};

TEST_P(PricesOfRandomClusters, LeaveOutNothingThatIsAsGood) {
    std::mt19937 random(72);
    std::uint32_t judged = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<std::uint32_t> free(GetParam().racks);
        for (std::uint32_t& nodes : free) nodes = static_cast<std::uint32_t>(random() % 5);
        const SmallCluster cluster(4, GetParam().sizes, free);
        State state = cluster.state();
        std::vector<std::uint64_t> weight(cluster.topology.node_count());
        for (std::uint64_t& value : weight) value = random() % 3;
        if (random() % 2 == 0) state.weight = weight;
        Request request;
        request.segment_size = random() % 2 == 0 ? 0 : 1 + static_cast<std::uint32_t>(random() % 2);
        request.min_nodes = request.max_nodes = 2 * (1 + static_cast<std::uint32_t>(random() % 6));
        request.policy = random() % 2 == 0 ? Policy::pack : Policy::compact;
        request.exclusive = random() % 4 == 0;
        Effort effort;
        const Decision decision(cluster.topology, request, state, effort);
        const Problem problem = decision.problem(request.min_nodes);
        if (problem.scope_level != cluster.topology.levels().size()) continue;
        Priced priced(decision, request, problem, 0);
        const auto known = search_greedily(priced.layout, problem, effort);
        if (!known) continue;
        if (priced.prices.possible()) priced.prices.price_components(known->cost);
        std::vector<std::uint32_t> taken(free.size());
        auto judge = [&] {
            const Division division = division_of(problem, taken);
            if (!keeps_limit(decision.tally(), problem, division)) return;
            if (priced.layout.less(known->cost, cost_of(priced.layout, division))) return;
            ++judged;
            ASSERT_TRUE(priced.prices.possible());
            expect_kept(cluster.topology, priced, problem, priced.layout, taken,
                        "round " + std::to_string(round));
        };
        for_each_way(decision.tally(), problem, taken, 0, problem.units, judge);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(judged, 60U);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PricesOfRandomClusters,
                         ::testing::Values(Shape{"one level", "4", 5},
                                           Shape{"planned below", "3", 5},
                                           Shape{"two levels", "4,8", 5}),
                         [](const auto& param) {
                             std::string name = param.param.name;
                             std::replace(name.begin(), name.end(), ' ', '_');
                             return name;
                         });

// The example of prices.hpp: a rack of 18 must give 15 nodes, the rack of 7 none or 4.
TEST(PricesTest, NarrowTheAmountsOfTheExample) {
    const SmallCluster cluster(18, "18", {18, 18, 7, 5, 3});
    Request request;
    request.min_nodes = request.max_nodes = 40;
    Effort effort;
    const State state = cluster.state();
    const Decision decision(cluster.topology, request, state, effort);
    const Problem problem = decision.problem(40);
    Priced priced(decision, request, problem, 0);
    const auto known = search_greedily(priced.layout, problem, effort);
    ASSERT_TRUE(known);
    priced.prices.price_components(known->cost);
    const auto kept = [&](BlockIndex block, std::uint32_t nodes) {
        Cost cost{};
        priced.layout.add_block(cost, block, nodes);
        return priced.prices.most_worth(0, priced.tree.shape_of(0, block), true) -
                   priced.prices.worth_of_block(nodes, cost.data()) <=
               priced.prices.slack();
    };
    EXPECT_TRUE(kept(0, 15));
    EXPECT_FALSE(kept(0, 14));
    EXPECT_FALSE(kept(0, 0));
    EXPECT_TRUE(kept(2, 0));
    EXPECT_FALSE(kept(2, 3));
    EXPECT_TRUE(kept(2, 4));
}

// A job that 60 required nodes spread over more lower blocks than it may use has no answer.
TEST(PricesTest, ShowThatALimitCannotBeKept) {
    const SmallCluster cluster(4, "4", {4, 2, 2, 1});
    Request request;
    request.min_nodes = request.max_nodes = 8;
    Effort effort;
    const State state = cluster.state();
    const Decision decision(cluster.topology, request, state, effort);
    EXPECT_FALSE(Priced(decision, request, decision.problem(8), 0).prices.possible());
}

}  // namespace
}  // namespace nvl72block
