// SPDX-License-Identifier: GPL-2.0-or-later
//
// pack_vertex() against a brute force that reaches every cut of small clusters, segment by segment.
#include "placement/packing/packing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "../small_cluster.hpp"
#include "nvl72block/placement.hpp"
#include "placement/preference/cost.hpp"
#include "placement/rules/rules.hpp"

namespace nvl72block {
namespace {

using testing::SmallCluster;

/// Nodes taken per base block.
using Taken = std::vector<std::uint32_t>;

/// A random cluster and request.
struct Trial {
    SmallCluster cluster;
    NodeSet required;
    std::vector<std::uint64_t> weight;
    Request request;
    State state;
    Tally tally;
    Problem problem;
    std::uint32_t vertex = 0;
    std::uint32_t most = 0;
    CostLayout layout;

    struct Draw {
        std::uint32_t block_nodes;
        std::string sizes;
        std::vector<std::uint32_t> free;
        std::uint32_t segment;
    };

    Trial(const Draw& draw, std::mt19937& random)
        : cluster(draw.block_nodes, draw.sizes, draw.free),
          required(cluster.topology.node_count()),
          weight(draw_weights(random)),
          request(make_request(random)),
          state(make_state()),
          tally(cluster.topology, request, state),
          problem(make_problem(draw.segment)),
          vertex(std::uniform_int_distribution<std::uint32_t>(
              0, tally.vertices(problem.unit_level) - 1)(random)),
          most(tally.free(problem.unit_level, vertex) / draw.segment + 1),
          layout(tally, request, most * draw.segment) {}

    std::vector<std::uint64_t> draw_weights(std::mt19937& random) const {
        std::vector<std::uint64_t> weights;
        if (random() % 3 != 0) return weights;
        for (std::uint32_t node = 0; node < cluster.topology.node_count(); ++node)
            weights.push_back(1 + random() % 3);
        return weights;
    }

    Request make_request(std::mt19937& random) {
        const auto one_in = [&](std::uint32_t count) { return random() % count == 0; };
        Request drawn;
        drawn.spread_segments = one_in(3);
        drawn.exclusive = one_in(4);
        if (one_in(4)) drawn.policy = Policy::compact;
        if (one_in(3)) drawn.max_base_blocks = 1 + static_cast<std::uint32_t>(random() % 5);
        if (one_in(3))
            cluster.usable.for_each([&](NodeIndex node) {
                if (one_in(6)) required.set(node);
            });
        drawn.required = required;
        return drawn;
    }

    State make_state() const {
        State made = cluster.state();
        made.weight = weight;
        return made;
    }

    Problem make_problem(std::uint32_t segment) const {
        Problem made;
        made.segmented = true;
        made.unit_nodes = segment;
        made.segment_rule = plain_rule(cluster.topology, segment);
        made.unit_level = made.segment_rule.level;
        made.scope_level = tally.whole_level();
        made.spread = request.spread_segments;
        made.max_base_blocks = request.max_base_blocks;
        return made;
    }

    [[nodiscard]] std::uint32_t lower_of(BlockIndex block) const {
        return block >> cluster.topology.levels()[problem.unit_level - 1].exponent;
    }

    /// What a vertex and all below it cost, from the tally and the layout alone.
    Cost cost_of(std::size_t level, std::uint32_t index, const Taken& taken) const {
        Cost cost{};
        if (level == 0) {
            layout.add_block(cost, index, taken[index]);
            return cost;
        }
        std::uint32_t nodes = 0;
        for (const std::uint32_t child : tally.children(level, index))
            layout.add(cost, cost_of(level - 1, child, taken));
        for (const BlockIndex block : tally.blocks(level, index)) nodes += taken[block];
        layout.add_aggregate(cost, level, index, nodes, layout.breaks(cost.data()));
        return cost;
    }

    [[nodiscard]] std::uint32_t blocks_used(const Taken& taken) const {
        return static_cast<std::uint32_t>(
            std::count_if(taken.begin(), taken.end(), [](auto nodes) { return nodes > 0; }));
    }

    [[nodiscard]] bool allowed(const Taken& taken) const {
        for (const BlockIndex block : tally.blocks(problem.unit_level, vertex))
            if (taken[block] < tally.required(0, block)) return false;
        return problem.max_base_blocks == 0 || blocks_used(taken) <= problem.max_base_blocks;
    }
};

/// Least cost by segments and base blocks (0 where these are not limited).
using LeastCosts = std::map<std::pair<std::uint32_t, std::uint32_t>, Cost>;

class BruteForce {
  public:
    explicit BruteForce(const Trial& trial) : trial_(trial) {}

    LeastCosts run() {
        LeastCosts least;
        std::set<Taken> layer{Taken(trial_.tally.vertices(0), 0)};
        for (std::uint32_t segments = 0; !layer.empty(); ++segments) {
            for (const Taken& taken : layer) judge(segments, taken, least);
            std::set<Taken> next;
            for (const Taken& taken : layer) {
                Taken grown = taken;
                add_segment(trial_.tally.blocks(trial_.problem.unit_level, trial_.vertex).first,
                            trial_.problem.unit_nodes, {}, taken, grown, next);
            }
            layer = std::move(next);
        }
        return least;
    }

  private:
    void judge(std::uint32_t segments, const Taken& taken, LeastCosts& least) const {
        if (!trial_.allowed(taken)) return;
        const std::uint32_t blocks =
            trial_.problem.max_base_blocks == 0 ? 0 : trial_.blocks_used(taken);
        const Cost cost = trial_.cost_of(trial_.problem.unit_level, trial_.vertex, taken);
        const auto [at, added] = least.try_emplace({segments, blocks}, cost);
        if (!added && trial_.layout.less(cost, at->second)) at->second = cost;
    }

    /// Every way to take one more segment from `before`.
    void add_segment(BlockIndex block, std::uint32_t lacking, std::set<std::uint32_t> lower,
                     const Taken& before, Taken& grown, std::set<Taken>& next) const {
        if (lacking == 0) {
            next.insert(grown);
            return;
        }
        if (block == trial_.tally.blocks(trial_.problem.unit_level, trial_.vertex).last) return;
        add_segment(block + 1, lacking, lower, before, grown, next);
        if (trial_.problem.spread && before[block] > 0) return;
        lower.insert(trial_.lower_of(block));
        if (lower.size() > trial_.problem.segment_rule.limit) return;
        const std::uint32_t room = trial_.tally.free(0, block) - before[block];
        for (std::uint32_t nodes = 1; nodes <= std::min(room, lacking); ++nodes) {
            grown[block] = before[block] + nodes;
            add_segment(block + 1, lacking - nodes, lower, before, grown, next);
        }
        grown[block] = before[block];
    }

    const Trial& trial_;
};

/// A way keeps every rule and says the truth about itself.
void check_rules(const Trial& trial, const PackedWay& way) {
    ASSERT_EQ(way.shares.size(), way.segments);
    Taken taken(trial.tally.vertices(0), 0);
    std::set<BlockIndex> others;
    for (const std::vector<Share>& segment : way.shares) {
        std::uint32_t nodes = 0;
        std::set<std::uint32_t> lower;
        std::set<BlockIndex> own;
        for (const Share& share : segment) {
            ASSERT_GE(share.block,
                      trial.tally.blocks(trial.problem.unit_level, trial.vertex).first);
            ASSERT_LT(share.block, trial.tally.blocks(trial.problem.unit_level, trial.vertex).last);
            EXPECT_GT(share.nodes, 0U);
            EXPECT_TRUE(!trial.problem.spread || others.count(share.block) == 0);
            EXPECT_TRUE(own.insert(share.block).second);
            lower.insert(trial.lower_of(share.block));
            nodes += share.nodes;
            taken[share.block] += share.nodes;
        }
        others.merge(own);
        EXPECT_EQ(nodes, trial.problem.unit_nodes);
        EXPECT_LE(lower.size(), trial.problem.segment_rule.limit);
    }
    for (BlockIndex block = 0; block < taken.size(); ++block)
        EXPECT_LE(taken[block], trial.tally.free(0, block));
    EXPECT_TRUE(trial.allowed(taken));
    EXPECT_EQ(way.base_blocks, trial.blocks_used(taken));
    EXPECT_EQ(way.cost, trial.cost_of(trial.problem.unit_level, trial.vertex, taken));
}

/// How often an answer was proven.
struct Counts {
    int trials = 0, exact = 0, complete = 0;
};

void check_answer(const Trial& trial, const LeastCosts& least, std::uint64_t budget,
                  Counts& counts) {
    Effort effort{.budget = budget};
    const PackedWays ways =
        pack_vertex({trial.layout, trial.problem, trial.vertex}, 0, trial.most, effort);
    std::set<std::uint32_t> found;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Cost> costs;
    for (const PackedWay& way : ways.ways) {
        check_rules(trial, way);
        found.insert(way.segments);
        const std::uint32_t blocks = trial.problem.max_base_blocks == 0 ? 0 : way.base_blocks;
        EXPECT_TRUE(costs.try_emplace({way.segments, blocks}, way.cost).second);
    }
    for (const auto& [key, cost] : least) {
        EXPECT_TRUE(!ways.complete || found.count(key.first) == 1) << key.first << " segments";
        if (ways.exact) {
            const auto at = costs.find(key);
            ASSERT_NE(at, costs.end()) << key.first << " segments " << key.second << " blocks";
            EXPECT_EQ(at->second, cost) << key.first << " segments";
        }
    }
    ++counts.trials;
    counts.exact += ways.exact ? 1 : 0;
    counts.complete += ways.complete ? 1 : 0;
}

Trial::Draw draw_cluster(std::mt19937& random) {
    struct Kind {
        std::uint32_t block_nodes;
        const char* sizes;
        std::uint32_t least, most;  // segment
        std::uint32_t blocks;
    };
    static constexpr Kind kinds[] = {{5, "5", 6, 12, 5},     {6, "4", 5, 10, 4},
                                     {4, "2,8", 3, 7, 4},    {3, "3,6", 7, 11, 6},
                                     {3, "2,4,16", 5, 9, 6}, {3, "3", 4, 9, 6}};
    const Kind& kind = kinds[random() % std::size(kinds)];
    Trial::Draw draw{kind.block_nodes, kind.sizes, {}, 0};
    const bool fragmented = random() % 2 == 0;
    for (std::uint32_t block = 0; block < kind.blocks; ++block)
        draw.free.push_back(fragmented || random() % 3 == 0
                                ? static_cast<std::uint32_t>(random() % (kind.block_nodes + 1))
                                : kind.block_nodes);
    draw.segment = kind.least + static_cast<std::uint32_t>(random() % (kind.most - kind.least + 1));
    return draw;
}

TEST(LargeSegments, EveryBudgetKeepsTheRulesAndProvesOnlyWhatHolds) {
    constexpr std::uint64_t full = 1U << 22;
    std::map<std::uint64_t, Counts> counts;
    const char* scale = std::getenv("NVL72BLOCK_TEST_SCALE");
    const int trials = 300 * (scale == nullptr ? 1 : std::atoi(scale));
    for (int i = 0; i < trials && !::testing::Test::HasFailure(); ++i) {
        std::mt19937 random(static_cast<std::uint32_t>(i));
        const Trial::Draw draw = draw_cluster(random);
        const Trial trial(draw, random);
        const LeastCosts least = BruteForce(trial).run();
        std::string free;
        for (const std::uint32_t nodes : draw.free) free += " " + std::to_string(nodes);
        SCOPED_TRACE("trial " + std::to_string(i) + ": " + draw.sizes + " segment " +
                     std::to_string(draw.segment) + (trial.problem.spread ? " spread" : "") +
                     ", at most " + std::to_string(trial.problem.max_base_blocks) +
                     " base blocks, free" + free);
        for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{10},
                                           std::uint64_t{100}, std::uint64_t{1000}, full}) {
            SCOPED_TRACE("budget " + std::to_string(budget));
            check_answer(trial, least, budget, counts[budget]);
        }
        Effort effort;
        for (const auto& [key, cost] : least)
            EXPECT_LE(key.first, most_packed(trial.tally, trial.problem, trial.vertex, effort));
    }
    for (const auto& [budget, count] : counts)
        ::testing::Test::RecordProperty("budget_" + std::to_string(budget),
                                        std::to_string(count.exact) + " exact, " +
                                            std::to_string(count.complete) + " complete of " +
                                            std::to_string(count.trials));
    // With enough steps every number of segments is decided.
    EXPECT_EQ(counts[full].complete, counts[full].trials);
}

/// A cluster of racks of 18 in which segments of `nodes` nodes are packed.
struct Racks {
    SmallCluster cluster;
    Request request;
    State state;
    Tally tally;
    Problem problem;

    Racks(const std::string& sizes, const std::vector<std::uint32_t>& free, std::uint32_t nodes,
          bool spread = false, std::uint32_t max_base_blocks = 0)
        : cluster(18, sizes, free),
          state(cluster.state()),
          tally(cluster.topology, request, state) {
        problem.segmented = true;
        problem.unit_nodes = nodes;
        problem.segment_rule = plain_rule(cluster.topology, nodes);
        problem.unit_level = problem.segment_rule.level;
        problem.scope_level = tally.whole_level();
        problem.spread = spread;
        problem.max_base_blocks = max_base_blocks;
    }

    [[nodiscard]] PackedWays pack(std::uint32_t least, std::uint32_t most, Effort& effort) const {
        const CostLayout layout(tally, request, most * problem.unit_nodes);
        return pack_vertex({layout, problem, 0}, least, most, effort);
    }
};

std::vector<std::uint32_t> random_racks(std::uint32_t count, std::uint32_t busy_percent) {
    std::mt19937 random(7);
    std::vector<std::uint32_t> free;
    for (std::uint32_t rack = 0; rack < count; ++rack) {
        const bool busy = random() % 100 < busy_percent;
        free.push_back(busy ? static_cast<std::uint32_t>(random() % 18) : 18);
    }
    return free;
}

/// " b0:13 b1:7 | …": rack and nodes, segment by segment.
std::string describe(const PackedWay& way) {
    std::string text;
    for (const std::vector<Share>& segment : way.shares) {
        text += text.empty() ? "" : " |";
        for (const Share& share : segment)
            text += " b" + std::to_string(share.block) + ":" + std::to_string(share.nodes);
    }
    return text;
}

TEST(LargeSegments, TheExampleOfTheHeader) {
    const Racks racks("18", {18, 15, 15, 6, 4}, 20);
    Effort effort;
    const PackedWays ways = racks.pack(2, 2, effort);
    ASSERT_EQ(ways.ways.size(), 1U);
    EXPECT_TRUE(ways.exact);
    EXPECT_EQ(ways.ways.front().base_blocks, 3U);
    EXPECT_EQ(describe(ways.ways.front()), " b1:7 b2:13 | b0:14 b1:6");
}

// Segments of 40 nodes were refused on these eight racks, though segments that keep base blocks for
// themselves, which is stricter, were placed.
TEST(LargeSegments, EightFragmentedRacksAreDecided) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<std::uint32_t> free;
        for (int rack = 0; rack < 8; ++rack)
            free.push_back(static_cast<std::uint32_t>(random() % 19));
        const Racks shared("18,144", free, 40);
        const Racks spread("18,144", free, 40, true);
        Effort effort;
        const PackedWays shared_ways = shared.pack(2, 2, effort);
        const PackedWays spread_ways = spread.pack(2, 2, effort);
        EXPECT_TRUE(shared_ways.complete && spread_ways.complete);
        EXPECT_TRUE(shared_ways.exact && spread_ways.exact);
        EXPECT_LE(spread_ways.ways.size(), shared_ways.ways.size());
    }
}

// Without a limit on the work, 1,500 racks took 74 s under slurmctld's locks, and 3,600 racks with
// few base blocks more than 6 min.
TEST(LargeSegments, TheConstructionIsNearlyLinearInTheRacks) {
    for (const std::uint32_t count : {512U, 3600U})
        for (const std::uint32_t busy : {0U, 60U, 100U})
            for (const bool spread : {false, true})
                for (const std::uint32_t nodes : {20U, 37U, 54U})
                    for (const std::uint32_t cap : {0U, 10U, count / 2}) {
                        const Racks racks("18", random_racks(count, busy), nodes, spread, cap);
                        Effort bound;
                        const std::uint32_t most =
                            most_packed(racks.tally, racks.problem, 0, bound);
                        EXPECT_LE(bound.steps, 30U * count);
                        for (const std::uint32_t segments : {2U, count / 16, most, most + 1}) {
                            Effort effort{.budget = 0};
                            const PackedWays ways = racks.pack(segments, segments, effort);
                            EXPECT_LE(effort.steps, 150U * count) << segments << " of " << nodes;
                            EXPECT_TRUE(segments <= most || (ways.ways.empty() && ways.complete));
                        }
                    }
}

// The tables of least costs stop at the budget, whatever the vertex.
TEST(LargeSegments, ABudgetIsKept) {
    for (const char* sizes : {"18", "18,144", "18,144,1152"})
        for (const std::uint32_t nodes : {20U, 40U, 145U, 300U})
            for (const bool spread : {false, true}) {
                const Racks racks(sizes, random_racks(512, 60), nodes, spread, 60);
                const bool whole = racks.problem.unit_level == racks.tally.whole_level();
                for (const std::uint64_t budget : {10'000U, 100'000U, 1'000'000U}) {
                    Effort none{.budget = 0};
                    (void)racks.pack(whole ? 6 : 1, 6, none);
                    Effort effort{.budget = budget};
                    (void)racks.pack(whole ? 6 : 1, 6, effort);
                    EXPECT_LE(effort.steps, budget + none.steps + 20'000);
                }
            }
}

}  // namespace
}  // namespace nvl72block
