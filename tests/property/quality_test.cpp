// SPDX-License-Identifier: GPL-2.0-or-later
//
// How good answers are where nothing promises the best: the share of decisions that are proven, and
// the share of first answers (a budget of no step) that are as good as the proven best. Both are
// held to what was measured, so that a change for the worse is no accident. Random jobs on random
// clusters of 64 racks, as tests/bench/proven_survey asks them, with a fixed seed.
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
    std::uint32_t proven = 0;
    std::uint32_t best = 0;      // proven, and placed
    std::uint32_t at_first = 0;  // of those, as good without any search
};

/// The values that the preferences compare; none for a refusal.
std::optional<Rank> rank_of(const Facts& facts, const Topology& topology, const Request& request,
                            const Answer& answer) {
    const auto* placement = std::get_if<Placement>(&answer);
    if (placement == nullptr) return std::nullopt;
    return rank(facts, topology, request, *placement);
}

bool is_proven(const Answer& answer) {
    return std::visit([](const auto& either) { return either.proven; }, answer);
}

void ask(const Topology& topology, const Request& request, const State& state, Counts& counts) {
    const Facts facts(topology, request, state);
    const Answer answer = place(topology, request, state);
    ++counts.decisions;
    if (!is_proven(answer)) return;
    ++counts.proven;
    const auto best = rank_of(facts, topology, request, answer);
    if (!best) return;
    ++counts.best;
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
                State state;
                state.usable = usable;
                state.weight = weight;
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
    std::printf("%u decisions, %u proven, %u placed best, %u of these at first\n", counts.decisions,
                counts.proven, counts.best, counts.at_first);
    EXPECT_GE(counts.proven, GetParam().proven);
    EXPECT_GE(counts.at_first, GetParam().at_first);
}

INSTANTIATE_TEST_SUITE_P(Survey, Quality,
                         testing::Values(Measured{Kind::plain_rack, Policy::pack, 600, 462},
                                         Measured{Kind::plain_large, Policy::pack, 598, 159},
                                         Measured{Kind::segmented, Policy::pack, 595, 219},
                                         Measured{Kind::large_segments, Policy::pack, 592, 174},
                                         Measured{Kind::spread, Policy::pack, 600, 195},
                                         Measured{Kind::large_spread, Policy::pack, 577, 174},
                                         Measured{Kind::limited, Policy::pack, 596, 238},
                                         Measured{Kind::exclusive, Policy::pack, 598, 281},
                                         Measured{Kind::range, Policy::pack, 593, 232},
                                         Measured{Kind::plain_rack, Policy::demand, 600, 229},
                                         Measured{Kind::plain_large, Policy::demand, 598, 97},
                                         Measured{Kind::segmented, Policy::demand, 596, 152},
                                         Measured{Kind::large_segments, Policy::demand, 587, 100},
                                         Measured{Kind::spread, Policy::demand, 600, 151},
                                         Measured{Kind::large_spread, Policy::demand, 577, 100},
                                         Measured{Kind::limited, Policy::demand, 591, 152},
                                         Measured{Kind::exclusive, Policy::demand, 598, 278},
                                         Measured{Kind::range, Policy::demand, 597, 186}));

}  // namespace
}  // namespace nvl72block::oracle
