// SPDX-License-Identifier: GPL-2.0-or-later
//
// Enforced cliques against an exhaustive search over every number of nodes from every island of
// every base block, count by count: a range may end at one node, which heeds no island. With and
// without totals of CPUs and GPUs, and with budgets from none to full. NVL72BLOCK_ORACLE_SCALE
// multiplies the number of clusters (default 1).
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "generator.hpp"
#include "node_comparison.hpp"

namespace nvl72block::oracle {
namespace {

Case random_cluster(Random& random) {
    static const std::vector<std::string> marks{"0", "00.", "001", "0011.", "000000A", "010210B."};
    const std::uint32_t planning = random.between(2, 5);
    Case sample{.block_sizes = {planning, 2 * planning}, .blocks = {}, .outside = {}, .job = {}};
    if (random.one_in(3)) sample.block_sizes.pop_back();
    const std::string& letters = marks[random.between(0, 5)];
    const bool totals = random.one_in(4);  // then nodes differ in more ways: fewer of them
    for (std::uint32_t block = random.between(1, 3); block > 0; --block)
        sample.blocks.push_back(random_nodes(random, random.between(0, totals ? 4 : 6), letters));
    if (sample.blocks.back().empty()) sample.blocks.back() = "0";
    if (random.one_in(4)) sample.outside = random_nodes(random, random.between(1, 3), letters);
    sample.islands = random_islands(random, sample);
    if (totals) give_resources(random, sample);
    sample.numbering = static_cast<Numbering>(random.between(0, 2));
    return sample;
}

Request random_request(Random& random, const Instance& instance) {
    Request request{.required = {}};
    const std::uint32_t nodes = instance.usable.count();
    request.min_nodes = random.one_in(4) ? 1 : random.between(1, std::max(1U, nodes));
    if (!random.one_in(3)) {
        request.segment_size = random.between(1, 5);
        if (request.min_nodes > request.segment_size)
            request.min_nodes -= request.min_nodes % request.segment_size;
        request.spread_segments = random.one_in(4);
        request.consolidate_segments = random.one_in(4);
    }
    request.max_nodes = request.min_nodes + (random.one_in(4) ? random.between(1, 4) : 0);
    request.cpus = random_total(random, instance, instance.cpus);
    request.gpus = random_total(random, instance, instance.gpus);
    request.sized_by_totals = request.cpus + request.gpus > 0 && random.one_in(2);
    if (request.sized_by_totals) request.max_nodes = std::max(request.max_nodes, nodes);
    vary(random, request, instance.topology.block_count());
    return request;
}

class CliqueOracleTest : public testing::TestWithParam<std::uint64_t> {};

TEST_P(CliqueOracleTest, EngineAgrees) {
    Random random(GetParam());
    NodeComparison comparison;
    for (std::uint32_t i = 0; i < 2500 * scale(); ++i) {
        const Case sample = random_cluster(random);
        const Instance instance(sample);
        for (int j = 0; j < 12; ++j) {
            const Request request = instance.with_required(random_request(random, instance));
            if (request.required.count() <= request.max_nodes)
                comparison.run(sample, instance, request);
        }
    }
    std::cout << "seed " << GetParam() << "\n" << comparison.summary();
    EXPECT_EQ(comparison.failures(), 0U) << comparison.report(10);
    EXPECT_GT(comparison.full().fit, comparison.full().cases / 4);
    EXPECT_LT(comparison.full().fit, comparison.full().cases);
}

/// Racks by the hundred, where the greedy search takes over: no exhaustive search, but the rules.
TEST_P(CliqueOracleTest, RulesHoldOnLargeClusters) {
    Random random(GetParam());
    std::uint64_t cases = 0, placed = 0;
    static const std::vector<std::string> marks{"0", "000.", "00000000000.", "0011."};
    for (int i = 0; i < 60; ++i) {
        const std::uint32_t planning = random.between(4, 18);
        Case sample{.block_sizes = {planning, 4 * planning, 16 * planning},
                    .blocks = {},
                    .outside = {},
                    .job = {}};
        const std::string& letters = marks[random.between(0, 3)];
        for (std::uint32_t block = random.between(20, 500); block > 0; --block)
            sample.blocks.push_back(random_nodes(random, planning + random.between(0, 2), letters));
        sample.islands = random_islands(random, sample);
        const Instance instance(sample);
        const State state = instance.state();
        for (int j = 0; j < 10; ++j) {
            Request request{.required = {}};
            request.segment_size = random.one_in(3) ? 0 : random.between(2, planning);
            request.min_nodes = std::max(1U, request.segment_size) *
                                random.between(1, std::max(1U, instance.usable.count() / 8));
            request.max_nodes = request.min_nodes;
            vary(random, request, instance.topology.block_count());
            ++cases;
            const Answer answer = place(instance.topology, request, state);
            const auto* found = std::get_if<Placement>(&answer);
            if (found == nullptr) continue;
            ++placed;
            ASSERT_EQ(check(instance.topology, request, state, *found), "");
        }
    }
    std::cout << "seed " << GetParam() << ": " << cases << " large cases, " << placed
              << " placed\n";
    EXPECT_GT(placed, cases / 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CliqueOracleTest, testing::Values(1, 2, 3),
                         [](const auto& param) { return "seed" + std::to_string(param.param); });

// ---- cases that once failed --------------------------------------------------------------------

// A range that can end at one node took a heavier node than one node alone does, or left the blocks
// though a node in a block serves; a plain job smaller than its segment was refused for good.
const Case regressions[] = {
    {{2}, {"01"}, "", "1-2", Numbering::by_block, "", "", "-0"},
    {{2}, {"0."}, "0", "1-2", Numbering::by_block, "", "", "---"},
    {{4}, {"00000"}, "", "5 seg=6", Numbering::by_block, "", "", "00011"},
};

TEST(CliqueRegressionTest, EngineAgrees) {
    NodeComparison comparison;
    for (const Case& sample : regressions) {
        const Instance instance(sample);
        comparison.run(sample, instance, instance.with_required(parse_job(sample.job)));
    }
    EXPECT_EQ(comparison.failures(), 0U) << comparison.report(10);
}

}  // namespace
}  // namespace nvl72block::oracle
