// SPDX-License-Identifier: GPL-2.0-or-later
//
// How good answers are where nothing promises the best: how many requests are placed, how many
// decisions are proven, and how many first answers (a budget of no step) are as good as the proven
// best. All are held to what was measured, so that a change for the worse is no accident. Random
// jobs on random clusters of 256 racks, as tests/bench/proven_survey asks them, with a fixed seed.
#include <gtest/gtest.h>

#include <optional>

#include "../bench/survey_requests.hpp"
#include "rules.hpp"

namespace nvl72block::oracle {
namespace {

using bench::Kind;

constexpr std::uint32_t racks = 256;
constexpr std::uint32_t requests = 20;  // per state
constexpr std::array in_demand{DemandSize{4, 300}, DemandSize{16, 700}};

struct Counts {
    std::uint32_t decisions = 0;
    std::uint32_t placed = 0;
    std::uint32_t proven = 0;
    std::uint32_t at_first = 0;  // placed as well as the proven best without any search
};

/// The values that the preferences compare; none for a refusal.
std::optional<Rank> rank_of(const Facts& facts, const Topology& topology, const Request& request,
                            const Answer& answer) {
    const auto* placement = std::get_if<Placement>(&answer);
    if (placement == nullptr) return std::nullopt;
    return rank(facts, topology, request, *placement);
}

void ask(const Topology& topology, const Request& request, const State& state, Counts& counts) {
    const Facts facts(topology, request, state);
    const Answer answer = place(topology, request, state);
    const auto best = rank_of(facts, topology, request, answer);
    ++counts.decisions;
    counts.placed += best ? 1 : 0;
    counts.proven += is_proven(answer) ? 1 : 0;
    if (!best || !is_proven(answer)) return;
    const Answer first = place(topology, request, state, Budget{.steps = 0});
    const auto found = rank_of(facts, topology, request, first);
    if (found && found->values == best->values) ++counts.at_first;
}

Counts survey(Kind kind, Policy policy) {
    Counts counts;
    bench::Random random(1);
    for (const auto& sizes : bench::surveyed_sizes(racks)) {
        const Topology topology = bench::make_racks(racks, sizes);
        for (const std::uint32_t busy : {60U, 80U, 95U})
            for (const std::uint32_t weights : {1U, 3U}) {
                const NodeSet usable =
                    weights == 1 ? bench::used_occupancy(random, topology, busy)
                                 : bench::uniform_occupancy(random, topology.node_count(), busy);
                const auto weight = bench::random_weights(random, topology, weights);
                const auto cpus = bench::random_cpus(random, topology);
                State state;
                state.usable = usable;
                state.weight = weight;
                state.cpus = cpus;
                for (std::uint32_t i = 0; i < requests; ++i) {
                    Request request = bench::request_of(random, kind, topology.planning_size());
                    request.policy = policy;
                    if (policy == Policy::demand) request.demand = in_demand;
                    ask(topology, request, state, counts);
                }
            }
    }
    return counts;
}

struct Measured {
    Kind kind;
    Policy policy;
    std::uint32_t placed;
    std::uint32_t proven;
    std::uint32_t at_first;
};

void PrintTo(const Measured& measured, std::ostream* stream) {
    *stream << name_of(measured.kind)
            << (measured.policy == Policy::demand ? ", demand" : ", pack");
}

class Quality : public testing::TestWithParam<Measured> {};

TEST_P(Quality, IsNotBelowWhatWasMeasured) {
    const Counts counts = survey(GetParam().kind, GetParam().policy);
    std::printf("%u decisions, %u placed, %u proven, %u placed best at first\n", counts.decisions,
                counts.placed, counts.proven, counts.at_first);
    EXPECT_GE(counts.placed, GetParam().placed);
    EXPECT_GE(counts.proven, GetParam().proven);
    EXPECT_GE(counts.at_first, GetParam().at_first);
}

INSTANTIATE_TEST_SUITE_P(
    Survey, Quality,
    testing::Values(Measured{Kind::plain_rack, Policy::pack, 470, 600, 467},
                    Measured{Kind::plain_large, Policy::pack, 202, 598, 149},
                    Measured{Kind::segmented, Policy::pack, 396, 597, 222},
                    Measured{Kind::large_segments, Policy::pack, 249, 589, 170},
                    Measured{Kind::spread, Policy::pack, 373, 600, 214},
                    Measured{Kind::large_spread, Policy::pack, 249, 581, 168},
                    Measured{Kind::limited, Policy::pack, 297, 592, 261},
                    Measured{Kind::exclusive, Policy::pack, 326, 597, 229},
                    Measured{Kind::range, Policy::pack, 385, 596, 257},
                    Measured{Kind::totals, Policy::pack, 216, 527, 7},
                    Measured{Kind::plain_rack, Policy::demand, 470, 600, 251},
                    Measured{Kind::plain_large, Policy::demand, 202, 599, 98},
                    Measured{Kind::segmented, Policy::demand, 396, 599, 154},
                    Measured{Kind::large_segments, Policy::demand, 249, 588, 87},
                    Measured{Kind::spread, Policy::demand, 373, 600, 151},
                    Measured{Kind::large_spread, Policy::demand, 249, 579, 87},
                    Measured{Kind::limited, Policy::demand, 297, 591, 152},
                    Measured{Kind::exclusive, Policy::demand, 326, 597, 225},
                    Measured{Kind::range, Policy::demand, 385, 596, 209},
                    Measured{Kind::totals, Policy::demand, 216, 521, 7}));

}  // namespace
}  // namespace nvl72block::oracle
