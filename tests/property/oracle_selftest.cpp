// SPDX-License-Identifier: GPL-2.0-or-later
//
// The oracle against cases worked out by hand: those that are known to lead greedy searches
// astray, and one for each word of docs/placement.md.
#include <gtest/gtest.h>

#include <ostream>

#include "cases.hpp"
#include "node_comparison.hpp"

namespace nvl72block::oracle {

/// A case and what it must give: nodes per base block; empty: does not fit.
struct Known {
    const char* name;
    Case sample;
    Counts taken;
    std::uint32_t outside = 0;  ///< nodes taken outside all blocks
};

void PrintTo(const Known& known, std::ostream* out) {
    *out << to_string(known.sample);
}

namespace {

const Known known_cases[] = {
    // An empty base block in the drained-dry half stalls a greedy search; the 9 nodes are there.
    {"stall_at_an_empty_block",
     {{2, 8}, {"00", "00", "00", "..", "00", "0.", "..", "..", "..", "..", "..", ".."}, "", "9"},
     {2, 2, 2, 0, 2, 1, 0, 0, 0, 0, 0, 0}},
    // The light nodes alone would need three blocks; two hold the job.
    {"light_nodes_scattered_7", {{4, 16}, {"0001", "0001", "0001", "0001"}, "", "7"}, {4, 3, 0, 0}},
    {"light_nodes_scattered_8", {{4, 16}, {"0001", "0001", "0001", "0001"}, "", "8"}, {4, 4, 0, 0}},
    {"light_nodes_scattered_12",
     {{4, 16}, {"0001", "0001", "0001", "0001"}, "", "12"},
     {4, 4, 4, 0}},
    {"one_light_node_a_block", {{4, 16}, {"0111", "0111", "0111", "0111"}, "", "7"}, {4, 3, 0, 0}},
    // 4+1, 3+2 leave 1,1,3; 4+1, 3+2, 2+3 uses all.
    {"segments_over_two_blocks",
     {{4}, {"00..", "000.", "000.", "000.", "0000"}, "", "15 seg=5"},
     {2, 3, 3, 3, 4}},
    {"spread_segments_over_two_pairs",
     {{3, 6}, {"0..", "000", "00.", "000", "00.", "000"}, "", "14 seg=7 spread"},
     {1, 3, 2, 3, 2, 3}},
    {"keeps_the_whole_pair", {{4, 8}, {"0000", "0000", "0000", "...."}, "", "4"}, {0, 0, 4, 0}},
    {"two_broken_before_a_whole", {{4}, {"0000", "000.", "000."}, "", "6"}, {0, 3, 3}},
    // Two broken racks before a whole one; with few blocks first it is the other way round.
    {"spares_pack", {{4, 8}, {"000...", "00....", "000000", "......"}, "", "5"}, {3, 2, 0, 0}},
    {"spares_compact",
     {{4, 8}, {"000...", "00....", "000000", "......"}, "", "5 compact"},
     {0, 0, 5, 0}},
    {"spares_leave_it_whole", {{4, 8}, {"00....", "000000"}, "", "2 compact"}, {2, 0}},
    {"spares_serve_first", {{4, 8}, {"0000..", "000000"}, "", "2"}, {0, 2}},
    {"exact_aggregate",
     {{4, 16}, {"0000", "0000", "000.", "000.", "0000", "0000", "....", "...."}, "", "8"},
     {0, 0, 0, 0, 4, 4, 0, 0}},
    // 9 nodes in at most three of four base blocks, or in two pairs of any kind.
    {"lower_blocks_fit", {{4, 16}, {"000.", "000.", "000.", "000."}, "", "9"}, {3, 3, 3, 0}},
    {"too_many_lower_blocks", {{4, 16}, {"000.", "000.", "00..", "0..."}, "", "9"}, {}},
    {"pairs_as_lower_blocks",
     {{4, 8, 16}, {"000.", "000.", "00..", "0..."}, "", "9"},
     {3, 3, 2, 1}},
    {"above_the_largest_level", {{2}, {"0.", "0.", "0."}, "", "3"}, {}},
    {"not_in_two_pairs", {{2, 4}, {"..", "00", "00", ".."}, "", "4"}, {}},
    {"segments_need_no_common_block",
     {{2, 4}, {"..", "00", "00", ".."}, "", "4 seg=2"},
     {0, 2, 2, 0}},
    {"consolidated_do", {{2, 4}, {"..", "00", "00", ".."}, "", "4 seg=2 cons"}, {}},
    {"does_not_divide", {{4}, {"0000"}, "", "3 seg=2"}, {}},
    {"no_larger_than_a_segment", {{4}, {"0000"}, "", "3 seg=4"}, {3}},
    {"two_segments_in_one_block", {{4}, {"0000", "00.."}, "", "4 seg=2"}, {4, 0}},
    {"spread_uses_two", {{4}, {"0000", "0000"}, "", "4 seg=2 spread"}, {2, 2}},
    {"spread_needs_two", {{4}, {"0000", "0..."}, "", "4 seg=2 spread"}, {}},
    // Two segments of 3 count as two blocks of 4 when spread: a pair will not do for three.
    {"spread_consolidated",
     {{4, 8}, {"000.", "000.", "000.", "...."}, "", "6 seg=3 spread cons"},
     {3, 3, 0, 0}},
    {"spread_consolidated_by_size",
     {{4, 8}, {"....", "0...", "0...", "...."}, "", "2 seg=1 spread cons"},
     {}},
    {"required_across", {{2, 4}, {"A0", "00", "A0", "00"}, "", "3"}, {}},
    {"required_taken", {{4}, {"0000", "000A"}, "", "2"}, {0, 2}},
    {"required_busy", {{4}, {"000:"}, "", "2"}, {}},
    {"few_blocks", {{2, 8}, {"0.", "00", "0.", "00"}, "", "3 max=1"}, {}},
    {"range_takes_the_most", {{4}, {"00..", "000."}, "", "1-4"}, {0, 3}},
    {"range_by_segments", {{4}, {"00..", "000."}, "", "3-5 seg=2"}, {2, 2}},
    {"exclusive_wastes_least", {{4}, {"0000", "00.."}, "", "2 excl"}, {0, 2}},
    {"exclusive_breaks_whole", {{4}, {"000000", "0000", "00.."}, "", "4 excl"}, {0, 4, 0}},
    {"weight_before_whole", {{4}, {"0000", "111."}, "", "3"}, {3, 0}},
    {"weights_most_light", {{4}, {"0022", "0111"}, "", "3"}, {3, 0}},
    {"weights_then_next_light", {{4}, {"0022", "0011"}, "", "3"}, {0, 3}},
    // Policy demand: the page's own examples, on small racks.
    {"in_one_rack", {{4, 8}, {"000...", "000...", "000000"}, "", "6 demand"}, {0, 0, 6}},
    {"pack_splits", {{4, 8}, {"000...", "000...", "000000"}, "", "6"}, {3, 3, 0}},
    {"segments_in_one_rack",
     {{4, 8}, {"000...", "000...", "000000", "000000"}, "", "12 seg=6 demand"},
     {0, 0, 6, 6}},
    {"no_rack_has_room", {{4, 8}, {"000...", "000..."}, "", "6 demand"}, {3, 3}},
    {"spare_nodes_cost_nothing", {{6}, {"000000", "0000.."}, "", "2 demand=4:1"}, {2, 0}},
    {"the_place_is_gone_anyway", {{6}, {"000000", "000..."}, "", "2 demand=4:1"}, {0, 2}},
    {"smaller_places_count_less", {{6}, {"0000..", "0....."}, "", "1 demand=4:1+1:9"}, {0, 1}},
    {"two_places_of_two", {{6}, {"00000.", "0000.."}, "", "1 demand=2:1"}, {1, 0}},
    {"places_by_share", {{6}, {"000...", "00...."}, "", "1 demand=3:1+2:9"}, {1, 0}},
    {"places_of_pairs",
     {{4, 8}, {"0000", "00..", "0000", "000."}, "", "1 demand=6:1"},
     {0, 0, 0, 1}},
    {"places_in_the_cluster", {{4}, {"0000", "000."}, "", "2 demand=9:1"}, {0, 2}},
    {"exclusive_loses_none", {{4}, {"0000", "000."}, "", "3 excl demand=4:1"}, {0, 3}},
    // Half-used racks are not whole: the third one is, though the job may have less of it.
    {"not_idle",
     {{4}, {"0000", "0000"}, "", "2", Numbering::by_block, "", "", "", "11110011"},
     {0, 2}},
    {"excluded_but_whole",
     {{4}, {"00ee", "000."}, "", "2", Numbering::by_block, "", "", "", "11111110"},
     {0, 2}},
    {"not_idle_costs_no_place",
     {{4}, {"000.", "0000"}, "", "2 demand=2:1", Numbering::by_block, "", "", "", "11100011"},
     {0, 2}},
    {"balance", {{4}, {"0000", "000.", "000.", "000."}, "", "9"}, {0, 3, 3, 3}},
    {"outside_only_if_nothing_in_blocks", {{4}, {"0..."}, "0000", "1-4"}, {1}},
    {"outside", {{4}, {"0..."}, "0000", "2-4"}, {0}, 4},
    {"outside_lightest", {{4}, {"0..."}, "1100", "2"}, {0}, 2},
    {"outside_never_segmented", {{4}, {"0..."}, "0000", "2 seg=2"}, {}},
    {"outside_required", {{4}, {"0000"}, "00A0", "2"}, {0}, 2},
    {"outside_mixed", {{4}, {"A000"}, "00A0", "2"}, {}},
};

class OracleSelfTest : public testing::TestWithParam<Known> {};

TEST_P(OracleSelfTest, AgreesWithTheHandComputedAnswer) {
    const Known& known = GetParam();
    const Instance instance(known.sample);
    const Request request = instance.with_required(parse_job(known.sample.job));
    const Facts facts(instance.topology, request, instance.state());
    Oracle oracle(facts.shape, facts.free);
    const auto best = oracle.solve(facts, request);
    ASSERT_EQ(best.has_value(), !known.taken.empty());
    if (!best) return;
    ASSERT_EQ(best->outside, known.outside > 0);
    if (best->outside)
        EXPECT_EQ(best->nodes, known.outside);
    else
        EXPECT_EQ(best->taken, known.taken) << to_string(best->rank);
}

INSTANTIATE_TEST_SUITE_P(Known, OracleSelfTest, testing::ValuesIn(known_cases),
                         [](const auto& param) { return std::string(param.param.name); });

/// An answer for a case with these nodes, as one segment after another.
Placement answer(const Instance& instance, const std::vector<std::vector<NodeIndex>>& segments) {
    Placement placement;
    placement.nodes = NodeSet(instance.topology.node_count());
    placement.segment_begin.push_back(0);
    std::vector<bool> used(instance.topology.block_count());
    for (const auto& segment : segments) {
        for (const NodeIndex node : segment) {
            placement.nodes.set(node);
            placement.segment_nodes.push_back(node);
            if (instance.topology.block_of(node) != no_block)
                used[instance.topology.block_of(node)] = true;
        }
        placement.segment_begin.push_back(
            static_cast<std::uint32_t>(placement.segment_nodes.size()));
    }
    for (BlockIndex block = 0; block < used.size(); ++block)
        if (used[block]) placement.blocks.push_back(block);
    return placement;
}

std::string judged(const Case& sample, const std::vector<std::vector<NodeIndex>>& segments) {
    const Instance instance(sample);
    return check(instance.topology, instance.with_required(parse_job(sample.job)), instance.state(),
                 answer(instance, segments));
}

TEST(OracleCheck, TellsGoodAnswersFromBadOnes) {
    EXPECT_EQ(judged({{2, 4}, {"00", "00", "00"}, "0", "2"}, {{0, 1}}), "");
    EXPECT_NE(judged({{2, 4}, {"00", "00", "00"}, "0", "2"}, {{0, 2}}), "");     // two base blocks
    EXPECT_NE(judged({{2, 4}, {"00", "00", "00"}, "0", "2"}, {{0}, {1}}), "");   // cut
    EXPECT_NE(judged({{2, 4}, {"0.", "00", "00"}, "0", "2"}, {{0, 1}}), "");     // busy
    EXPECT_NE(judged({{2, 4}, {"00", "0A", "00"}, "0", "2"}, {{0, 1}}), "");     // not the required
    EXPECT_NE(judged({{2, 4}, {"00", "00", "00"}, "0", "2"}, {{0}}), "");        // too few
    EXPECT_NE(judged({{2, 4}, {"00", "00", "00"}, "0", "3"}, {{0, 1, 6}}), "");  // mixed
    EXPECT_NE(judged({{2, 4}, {"00", "00", "00"}, "0", "4"}, {{2, 3, 4, 5}}), "");
    EXPECT_EQ(judged({{2, 4}, {"00", "00", "00"}, "0", "4 seg=2"}, {{2, 3}, {4, 5}}), "");
    EXPECT_NE(judged({{2, 4}, {"00", "00", "00"}, "0", "4 seg=2 cons"}, {{2, 3}, {4, 5}}), "");
    EXPECT_NE(judged({{2, 4}, {"00", "00", "00"}, "0", "4 seg=2"}, {{2, 4}, {3, 5}}), "");
    EXPECT_NE(judged({{4}, {"0000", "0000"}, "", "4 seg=2 spread"}, {{0, 1}, {2, 3}}), "");
    EXPECT_NE(judged({{2}, {"00", "00"}, "", "4 max=1"}, {{0, 1, 2, 3}}), "");
    EXPECT_EQ(judged({{2}, {"00", "00"}, "", "4 max=2"}, {{0, 1, 2, 3}}), "");
}

// ---- planted faults: what a judge does not see through, it does not judge ----------------------

/// Answers as the engine does, but for what `spoil` makes of them.
template <typename Spoil>
Engine spoilt(Spoil spoil) {
    return [spoil](const Topology& topology, const Request& request, const State& state,
                   const Budget& budget) {
        Answer answer = place(topology, request, state, budget);
        spoil(answer);
        return answer;
    };
}

/// Says "proven" whatever it is.
Engine boastful() {
    return spoilt(
        [](Answer& answer) { std::visit([](auto& outcome) { outcome.proven = true; }, answer); });
}

/// Changes the request or the state before the engine sees it.
template <typename Change>
Engine misled(Change change) {
    return [change](const Topology& topology, Request request, State state, const Budget& budget) {
        change(request, state);
        return place(topology, request, state, budget);
    };
}

std::uint64_t failures(const Engine& engine, const Case& sample, const Budget& budget = {}) {
    const Instance instance(sample);
    const Request request = instance.with_required(parse_job(sample.job));
    const Facts facts(instance.topology, request, instance.state());
    Oracle oracle(facts.shape, facts.free);
    Comparison comparison(budget, engine);
    comparison.run(oracle, oracle.solve(facts, request), sample, instance, facts, request);
    return comparison.failures();
}

TEST(PlantedFault, TheComparisonFindsIt) {
    const Case range{{4}, {"00..", "000."}, "", "1-4"};
    EXPECT_EQ(failures(place, range), 0U);
    EXPECT_EQ(failures(misled([](Request& r, State&) { r.max_nodes = 2; }), range), 1U);
    const Case fits{{4}, {"0000", "111."}, "", "3"};
    EXPECT_EQ(failures(place, fits), 0U);
    EXPECT_EQ(failures(misled([](Request& r, State&) { r.min_nodes = r.max_nodes = 2; }), fits),
              1U);
    EXPECT_EQ(failures(misled([](Request& r, State&) { r.min_nodes = r.max_nodes = 4; }), fits),
              1U);
    EXPECT_EQ(failures(misled([](Request& r, State&) { r.min_nodes = r.max_nodes = 9; }), fits),
              1U);  // a proven refusal of what fits
    const auto upside_down = misled([](Request&, State& state) { state.weight = {}; });
    EXPECT_EQ(failures(upside_down, {{4}, {"1111", "0000"}, "", "3"}), 1U);
    const Case few{{2}, {"00", "00"}, "", "4 seg=2 max=1"};
    EXPECT_EQ(failures(place, few), 0U);
    EXPECT_EQ(failures(misled([](Request& r, State&) { r.max_base_blocks = 0; }), few), 1U);
}

/// An engine whose proof is worth nothing where it has no budget is found by that budget.
TEST(PlantedFault, TheComparisonFindsItInDemand) {
    const auto pack = misled([](Request& r, State&) { r.policy = Policy::pack; });
    const Case torn{{4, 8}, {"000...", "000...", "000000"}, "", "6 demand"};
    EXPECT_EQ(failures(place, torn), 0U);
    EXPECT_EQ(failures(pack, torn), 1U);
    const auto off = misled([](Request& r, State&) { r.demand = {}; });
    const Case spare{{6}, {"000000", "0000.."}, "", "2 demand=4:1"};
    EXPECT_EQ(failures(place, spare), 0U);
    EXPECT_EQ(failures(off, spare), 1U);
    const auto other = misled([](Request& r, State&) { r.demand = demand_named("3:1+2:1"); });
    const Case shares{{6}, {"000...", "00...."}, "", "1 demand=3:1+2:9"};
    EXPECT_EQ(failures(place, shares), 0U);
    EXPECT_EQ(failures(other, shares), 1U);
    const auto blind = misled([](Request&, State& state) { state.idle = {}; });
    const Case half{{4}, {"0000", "0000"}, "", "2", Numbering::by_block, "", "", "", "11110011"};
    EXPECT_EQ(failures(place, half), 0U);
    EXPECT_EQ(failures(blind, half), 1U);
}

TEST(PlantedFault, TheComparisonFindsAFalseProof) {
    const auto unsure = misled([](Request& r, State&) { r.min_nodes = r.max_nodes = 9; });
    const auto modest = [&](const Topology& topology, const Request& request, const State& state,
                            const Budget& budget) {
        Answer answer = unsure(topology, request, state, budget);
        std::visit([](auto& outcome) { outcome.proven = false; }, answer);
        return answer;
    };
    const Case fits{{4}, {"0000", "111."}, "", "3"};
    EXPECT_EQ(failures(modest, fits, Budget{0}), 0U);  // a refusal that is not proven may be wrong
    const Engine false_proof = [&](const Topology& topology, const Request& request,
                                   const State& state, const Budget& budget) {
        return budget.steps ? unsure(topology, request, state, budget)
                            : place(topology, request, state, budget);
    };
    EXPECT_EQ(failures(false_proof, fits), 0U);
    EXPECT_EQ(failures(false_proof, fits, Budget{0}), 1U);
    const Instance instance(fits);
    BudgetComparison all(true);
    const Request request = parse_job(fits.job);
    const Facts facts(instance.topology, request, instance.state());
    Oracle oracle(facts.shape, facts.free);
    all.run(oracle, fits, instance, facts, request);
    EXPECT_EQ(all.judges().size(), 5U);
    for (const Comparison& judge : all.judges()) EXPECT_EQ(judge.cases(), 1U);
}

std::uint64_t node_failures(const Engine& engine, const Case& sample) {
    const Instance instance(sample);
    NodeComparison comparison(engine);
    comparison.run(sample, instance, instance.with_required(parse_job(sample.job)));
    return comparison.failures();
}

Case with_totals(const char* job, const char* cpus, const char* gpus) {
    return {{4}, {"0000", "0000"}, "", job, Numbering::by_block, cpus, gpus, ""};
}

TEST(PlantedFault, TheComparisonByNodesFindsItInTotals) {
    const auto no_totals = misled([](Request& r, State&) { r.cpus = r.gpus = 0; });
    const Case heavy = with_totals("2 cpus=16", "11888888", "");
    EXPECT_EQ(node_failures(place, heavy), 0U);
    EXPECT_EQ(node_failures(no_totals, with_totals("2 cpus=16", "11118888", "")), 5U);
    const auto twice = misled([](Request& r, State&) { r.cpus *= 2; });
    EXPECT_EQ(node_failures(twice, with_totals("2 cpus=16", "11118888", "")), 5U);
    const auto more = misled([](Request& r, State&) { r.min_nodes = 3; });
    EXPECT_EQ(node_failures(place, with_totals("1-8 cpus=16 sized", "88888888", "")), 0U);
    EXPECT_GE(node_failures(more, with_totals("1-8 cpus=16 sized", "88888888", "")), 1U);
    const auto fewer = misled([](Request& r, State&) { r.max_nodes = 3; });
    EXPECT_GE(node_failures(fewer, with_totals("2-4 gpus=8", "", "44444444")), 1U);
    // The page: of the placements that hold the totals the preferred one, if it says proven.
    const auto unweighted = [](const Topology& topology, const Request& request, State state,
                               const Budget& budget) {
        state.weight = {};
        Answer answer = place(topology, request, state, budget);
        std::visit([](auto& outcome) { outcome.proven = true; }, answer);
        return answer;
    };
    const Case weighted{{4}, {"1110"}, "", "1 cpus=4", Numbering::by_block, "4444", "", ""};
    EXPECT_EQ(node_failures(place, weighted), 0U);
    EXPECT_EQ(node_failures(unweighted, weighted), 5U);
}

TEST(PlantedFault, TheComparisonByNodesFindsItInCliques) {
    const Engine blind = [](const Topology& topology, const Request& request, const State& state,
                            const Budget& budget) {
        return place(topology.without_islands(), request, state, budget);
    };
    const Case two{{4}, {"0000"}, "", "2", Numbering::by_block, "", "", "0110"};
    EXPECT_EQ(node_failures(place, two), 0U);
    EXPECT_EQ(node_failures(blind, two), 5U);
    const Case cut{{4}, {"0000", "0000"}, "", "4 seg=2", Numbering::by_block, "", "", "01010001"};
    EXPECT_EQ(node_failures(place, cut), 0U);
    EXPECT_EQ(node_failures(blind, cut), 5U);
    // Decides a range as if all of its counts heeded islands: misses the light node without one.
    const Case single{{2}, {"01"}, "", "1-2", Numbering::by_block, "", "", "-0"};
    const Engine per_request = [](const Topology& topology, Request request, State state,
                                  const Budget& budget) {
        NodeSet placed(topology.node_count());
        state.usable.for_each([&](NodeIndex node) {
            if (topology.islands()->island_of[node] != no_island) placed.set(node);
        });
        state.usable = placed;
        return place(topology, request, state, budget);
    };
    EXPECT_GE(node_failures(per_request, single), 1U);
    const auto never = misled([](Request& r, State&) { r.min_nodes = r.max_nodes = 9; });
    EXPECT_EQ(node_failures(never, two), 5U);
}

TEST(PlantedFault, AProofThatIsNoneIsFoundByNodes) {
    // Gives the heavy node and says it is proven.
    const Engine heavy_first = [](const Topology& topology, const Request& request, State state,
                                  const Budget& budget) {
        NodeSet last(topology.node_count());
        last.set(static_cast<NodeIndex>(topology.node_count() - 1));
        state.usable = last;
        return boastful()(topology, request, state, budget);
    };
    const Case sample{{2}, {"01"}, "", "1", Numbering::by_block, "", "", "00"};
    EXPECT_EQ(node_failures(place, sample), 0U);
    EXPECT_EQ(node_failures(heavy_first, sample), 5U);
}

}  // namespace
}  // namespace nvl72block::oracle
