// SPDX-License-Identifier: GPL-2.0-or-later
//
// Bounds on one decision over the whole space of requests, by a short search with a fixed seed:
// steps against the budget, and memory. Time is measured by worst_search, not by a test.
#include <gtest/gtest.h>

#include "candidate.hpp"
#include "measured.hpp"

namespace nvl72block::bench {
namespace {

struct Bound {
    std::uint32_t racks;
    std::size_t bytes;
    int candidates;
};

class WorstCase : public testing::TestWithParam<Bound> {};

/// What a decision does before and after it searches: passes over blocks and nodes.
std::uint64_t passes(const Topology& topology) {
    return 60 * (topology.node_count() + topology.block_count() * topology.levels().size());
}

TEST_P(WorstCase, StepsKeepToTheBudgetAndMemoryToItsBound) {
    Random random(GetParam().racks);
    Stage stage;
    std::size_t most_bytes = 0;
    std::uint64_t most_over = 0;
    std::string furthest;
    for (int i = 0; i < GetParam().candidates; ++i) {
        const Candidate candidate = random_candidate(random, GetParam().racks);
        const Scene scene = stage.scene(candidate);
        SCOPED_TRACE(to_string(candidate));
        const Request request = scene.request(candidate);
        const Measured full = measured_place(*scene.topology, request, scene.state());
        EXPECT_LE(full.bytes, GetParam().bytes);
        most_bytes = std::max(most_bytes, full.bytes);
        for (const std::uint64_t budget : {0, 1000, 100'000}) {
            const Answer answer =
                measured_place(*scene.topology, request, scene.state(), Budget{budget}).answer;
            const std::uint64_t steps = steps_of(answer);
            EXPECT_LE(steps, budget + passes(*scene.topology)) << "with a budget of " << budget;
            if (steps <= budget || steps - budget <= most_over) continue;
            most_over = steps - budget;
            furthest = to_string(candidate);
        }
    }
    std::printf("%u racks: at most %zu bytes, %llu steps above the budget in %s\n",
                GetParam().racks, most_bytes, static_cast<unsigned long long>(most_over),
                furthest.c_str());
}

constexpr std::size_t megabyte = 1'000'000;

INSTANTIATE_TEST_SUITE_P(Racks, WorstCase,
                         testing::Values(Bound{512, 8 * megabyte, 200},
                                         Bound{3600, 32 * megabyte, 8}),
                         [](const auto& test) { return "of" + std::to_string(test.param.racks); });

}  // namespace
}  // namespace nvl72block::bench
