// SPDX-License-Identifier: GPL-2.0-or-later
//
// The greedy search against the exact one, on clusters small enough for both: it must find a
// placement exactly where there is one, and how often its answer is as good is held to what was
// measured.
#include "placement/search/greedy_search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "../small_cluster.hpp"
#include "placement/counts/decision.hpp"
#include "placement/packing/segment_builder.hpp"
#include "placement/preference/taken_nodes.hpp"
#include "placement/search/search.hpp"
#include "placement/state/tally.hpp"

namespace nvl72block {
namespace {

using testing::SmallCluster;

struct Agreement {
    std::uint32_t cases = 0;
    std::uint32_t fits = 0;
    std::uint32_t as_good = 0;
    std::uint32_t as_many_blocks = 0;
    std::uint32_t missed = 0;
};

/// A number below `bound`.
std::uint32_t below(std::mt19937& random, std::uint32_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
}

/// Free nodes per rack, as clusters have them: mostly whole or nearly, some busy, some in between.
std::vector<std::uint32_t> racks(std::mt19937& random, std::uint32_t count, bool fragmented) {
    std::vector<std::uint32_t> free(count);
    for (std::uint32_t& nodes : free) {
        const std::uint32_t kind = below(random, 8);
        nodes = fragmented || kind == 0 ? below(random, 19) : kind < 3 ? 0 : 18 - below(random, 3);
    }
    return free;
}

/// The first answer of a search that has enough steps for it.
std::optional<Division> first_answer(const CostLayout& layout, const Problem& problem,
                                     Effort& effort) {
    if (!problem.large_segments()) return search_greedily(layout, problem, effort);
    std::optional<Division> best;
    for (const BlockOrder order : {BlockOrder::fullest, BlockOrder::cheapest}) {
        std::optional<Division> built = build_segments(layout, problem, {order}, effort);
        if (built && (!best || layout.less(built->cost, best->cost))) best = std::move(built);
    }
    return best;
}

const std::array in_demand{DemandSize{4, 300}, DemandSize{16, 700}};

Agreement compare(std::uint32_t seed, bool fragmented, bool segmented, bool demand) {
    std::mt19937 random(seed);
    Agreement agreement;
    for (int round = 0; round < 60; ++round) {
        const SmallCluster cluster(18, "18,36,72,144,288", racks(random, 16, fragmented));
        const std::uint32_t free = cluster.usable.count();
        Request request;
        const std::uint32_t segments[] = {1, 2, 4, 8, 9, 16, 36};
        request.segment_size = segmented ? segments[below(random, 7)] : 0;
        request.min_nodes = 1 + below(random, std::max(free, 1U));
        if (segmented && request.min_nodes > request.segment_size)
            request.min_nodes -= request.min_nodes % request.segment_size;
        request.max_nodes = request.min_nodes;
        request.policy = demand ? Policy::demand : Policy::pack;
        if (demand) request.demand = in_demand;
        const State state = cluster.state();
        Effort effort;
        const Decision decision(cluster.topology, request, state, effort);
        const Problem problem = decision.problem(request.min_nodes);
        const CostLayout layout(decision.tally(), request, problem.nodes);
        Effort unlimited;
        const auto [exact, proven, complete] = search(decision.ground(), problem, unlimited);
        if (!proven || !complete) continue;
        const Tally sorted(decision.tally(), canonical_order(decision.tally()));
        const auto greedy =
            first_answer(CostLayout(sorted, request, problem.nodes), problem, unlimited);
        ++agreement.cases;
        if (exact.has_value() != greedy.has_value()) ++agreement.missed;
        if (!exact || !greedy) continue;
        ++agreement.fits;
        EXPECT_FALSE(layout.less(greedy->cost, exact->cost)) << "the exact search was beaten";
        agreement.as_good += greedy->cost == exact->cost ? 1 : 0;
        agreement.as_many_blocks += base_blocks(*greedy) <= base_blocks(*exact) ? 1 : 0;
    }
    return agreement;
}

struct Setting {
    const char* name;
    bool fragmented;
    bool segmented;
    bool demand;
    std::uint32_t as_good;  // as measured: a change for the worse is no accident
};

void PrintTo(const Setting& setting, std::ostream* stream) {
    *stream << setting.name;
}

class GreedySearch : public ::testing::TestWithParam<Setting> {};

TEST_P(GreedySearch, FindsAPlacementWhereverThereIsOneAndMostlyTheBest) {
    const Setting& setting = GetParam();
    Agreement total;
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const Agreement part = compare(seed, setting.fragmented, setting.segmented, setting.demand);
        total.cases += part.cases;
        total.fits += part.fits;
        total.as_good += part.as_good;
        total.as_many_blocks += part.as_many_blocks;
        total.missed += part.missed;
    }
    std::printf("%s: %u cases, %u fit, %u as good in all preferences, %u with as few blocks\n",
                setting.name, total.cases, total.fits, total.as_good, total.as_many_blocks);
    EXPECT_EQ(total.missed, 0U);
    EXPECT_GE(total.fits, 100U);
    // With a demand more blocks may be better: slots come first.
    EXPECT_GE(total.as_many_blocks, setting.demand ? total.as_good : total.fits);
    EXPECT_GE(total.as_good, setting.as_good);
}

INSTANTIATE_TEST_SUITE_P(
    Clusters, GreedySearch,
    ::testing::Values(Setting{"healthy, plain", false, false, false, 181},
                      Setting{"healthy, segments", false, true, false, 158},
                      Setting{"fragmented, plain", true, false, false, 115},
                      Setting{"fragmented, segments", true, true, false, 122},
                      Setting{"healthy, plain, demand", false, false, true, 127},
                      Setting{"fragmented, plain, demand", true, false, true, 76},
                      Setting{"fragmented, segments, demand", true, true, true, 83}));

}  // namespace
}  // namespace nvl72block
