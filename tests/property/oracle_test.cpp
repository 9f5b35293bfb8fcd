// SPDX-License-Identifier: GPL-2.0-or-later
//
// The engine against the oracle: all small clusters, all numbers of free nodes, all requests.
// Each case is judged with the full budget and with one of the budgets 0, 1, 10 and 100 in turn.
// NVL72BLOCK_ORACLE_SCALE multiplies the sampled part (default 1); 4 makes a million cases a
// budget.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <numeric>

#include "comparison.hpp"
#include "generator.hpp"

namespace nvl72block::oracle {
namespace {

constexpr std::uint32_t largest_block = 4;
constexpr std::size_t shown_examples = 10;

/// All cases of this process together, printed at its end.
class Total : public testing::Environment {
  public:
    void TearDown() override {
        print("ORACLE up to 4 base blocks: ", small);
        print("ORACLE more base blocks: ", large);
    }
    BudgetComparison small{false}, large{false};

  private:
    static void print(const char* title, const BudgetComparison& sum) {
        for (const Comparison& judge : sum.judges())
            if (judge.cases() > 0)
                std::cout << title << judge.summary() << "\n"
                          << judge.report(shown_examples) << std::flush;
    }
};

Total& total() {
    static auto* environment =
        static_cast<Total*>(testing::AddGlobalTestEnvironment(new Total));  // gtest owns it
    return *environment;
}
[[maybe_unused]] const Total& registered = total();

/// What a group of cases must show.
struct Expected {
    std::uint64_t least_cases = 1;
    /// With the full budget as many of the cases may differ where the answer is not proven.
    std::uint64_t beyond_per_mille = 0;
};

void expect_agreement(const BudgetComparison& comparison, std::uint64_t seed,
                      const Expected& expected) {
    EXPECT_GE(comparison.full().cases(), expected.least_cases);
    EXPECT_LE(comparison.full().beyond() * 1000,
              comparison.full().cases() * expected.beyond_per_mille)
        << comparison.full().report(shown_examples);
    for (const Comparison& judge : comparison.judges()) {
        std::cout << "seed " << seed << ", " << judge.summary() << "\n";
        EXPECT_EQ(judge.failures(), 0U) << judge.report(shown_examples);
    }
}

/// Levels as multiples of the planning size.
using Factors = std::vector<std::uint32_t>;

std::vector<std::uint32_t> block_sizes(const Factors& factors, std::uint32_t planning) {
    std::vector<std::uint32_t> sizes;
    for (const std::uint32_t factor : factors) sizes.push_back(factor * planning);
    return sizes;
}

/// Calls visit(free) for every vector of free nodes.
template <typename Visit>
void for_each_free(std::uint32_t blocks, Visit visit) {
    Counts free(blocks);
    for (;;) {
        visit(std::as_const(free));
        std::size_t at = 0;
        while (at < free.size() && free[at] == largest_block) free[at++] = 0;
        if (at == free.size()) return;
        ++free[at];
    }
}

/// Calls visit(request) for each combination of node count and segments that can make a
/// difference with `usable` nodes.
template <typename Visit>
void for_each_request(Random& random, std::uint32_t usable, Visit visit) {
    for (std::uint32_t nodes = 1; nodes <= usable + 1; ++nodes) {
        Request request{.min_nodes = nodes, .max_nodes = nodes, .required = {}};
        visit(request);
        for (std::uint32_t size = 1; size <= nodes; ++size) {
            request.segment_size = size;
            if (nodes % size != 0 && !random.one_in(8)) continue;
            for (unsigned flags = 0; flags < 4; ++flags) {
                request.spread_segments = (flags & 1U) != 0;
                request.consolidate_segments = (flags & 2U) != 0;
                if (nodes % size == 0 || flags == 0) visit(request);
            }
        }
        request.segment_size = nodes + random.between(1, 3);
        visit(request);
    }
}

Request random_range(Random& random, std::uint32_t usable) {
    Request request{.required = {}};
    request.min_nodes = random.between(1, usable + 1);
    request.max_nodes = request.min_nodes + random.between(1, usable + 2);
    request.segment_size = random.one_in(2) ? random.between(1, 6) : 0;
    request.spread_segments = random.one_in(3);
    request.consolidate_segments = random.one_in(3);
    return request;
}

// ---- every number of free nodes, every request -------------------------------------------------

struct Shard {
    Factors factors;
    std::uint32_t planning;
};

void PrintTo(const Shard& shard, std::ostream* out) {
    *out << "planning " << shard.planning << ", " << shard.factors.size() << " levels";
}

std::vector<Shard> shards() {
    std::vector<Shard> list;
    for (const Factors& factors : {Factors{1}, {1, 2}, {1, 4}, {1, 2, 4}})
        for (std::uint32_t planning = 1; planning <= largest_block + 1; ++planning)
            list.push_back({factors, planning});
    return list;
}

constexpr std::uint64_t cases_a_shard = 100'000;  // times 20 shards: 2 million

class ExhaustiveTest : public testing::TestWithParam<Shard> {
  protected:
    /// A cluster with these free nodes; real sizes, busy nodes and nodes in no block at random.
    Case cluster(Random& random, const Counts& free) {
        Case sample{.block_sizes = block_sizes(GetParam().factors, GetParam().planning),
                    .blocks = {},
                    .outside = {},
                    .job = {}};
        for (const std::uint32_t count : free) {
            const std::uint32_t size = random.between(count, largest_block);
            sample.blocks.push_back(random_block(random, count, size));
        }
        if (random.one_in(3)) sample.outside = random_nodes(random, random.between(1, 4), "00.");
        sample.numbering = static_cast<Numbering>(random.between(0, 2));
        return sample;
    }
};

TEST_P(ExhaustiveTest, EngineAgreesWithTheOracle) {
    const std::uint64_t seed = 72 * GetParam().planning + GetParam().factors.size();
    Random random(seed);
    BudgetComparison comparison(false);
    for (std::uint32_t blocks = 1; blocks <= 4; ++blocks) {
        std::optional<Oracle> oracle;
        for_each_free(blocks, [&](const Counts& free) {
            const Case sample = cluster(random, free);
            const Instance instance(sample);
            const Facts facts(instance.topology, {}, instance.state());
            if (!oracle) oracle.emplace(facts.shape, Counts(blocks, largest_block));
            const auto compare = [&](const Request& request) {
                comparison.run(*oracle, sample, instance, facts, request);
            };
            const auto usable = static_cast<std::uint32_t>(facts.inside() + facts.outside.size());
            for_each_request(random, usable, [&](Request request) {
                compare(request);
                vary(random, request, blocks);
                compare(request);
            });
            for (std::uint32_t i = 0; i < 10 * scale(); ++i) {
                Request request = random_range(random, usable);
                if (random.one_in(2)) vary(random, request, blocks);
                compare(request);
            }
        });
    }
    total().small.add(comparison);
    // Spread segments larger than a base block; at most 2.6 were measured, where one node is
    // planned.
    expect_agreement(comparison, seed, {.least_cases = cases_a_shard, .beyond_per_mille = 3});
}

INSTANTIATE_TEST_SUITE_P(Shards, ExhaustiveTest, testing::ValuesIn(shards()),
                         [](const auto& param) {
                             std::string name = "planning" + std::to_string(param.param.planning);
                             name += "_levels";
                             for (const auto factor : param.param.factors)
                                 name += std::to_string(factor);
                             return name;
                         });

// ---- weights, required nodes, more blocks ------------------------------------------------------

/// A request at random, for about `usable` usable nodes.
Request random_request(Random& random, std::uint32_t usable, std::uint32_t blocks) {
    Request request{.required = {}};
    if (random.one_in(5)) {
        request = random_range(random, usable);
    } else {
        request.segment_size = random.one_in(3) ? 0 : random.between(1, 9);
        const std::uint32_t step = std::max(1U, request.segment_size);
        const std::uint32_t most = std::max(1U, usable / step);
        request.min_nodes = request.max_nodes = request.segment_size > 0
                                                    ? step * random.between(1, most)
                                                    : random.between(1, usable + 1);
        request.spread_segments = random.one_in(3);
        request.consolidate_segments = random.one_in(3);
    }
    if (random.one_in(2)) vary(random, request, blocks);
    return request;
}

/// One kind of random cluster.
struct Mix {
    const char* name;
    std::uint64_t seed;
    std::uint32_t clusters;
    std::uint32_t requests;  ///< per cluster
    std::uint32_t least_blocks, most_blocks;
    std::uint32_t largest;               ///< block
    std::vector<std::string> marks;      ///< one of these serves a cluster
    std::uint64_t beyond_per_mille = 1;  ///< as in Expected
};

void PrintTo(const Mix& mix, std::ostream* out) {
    *out << mix.name;
}

// The last two have more blocks than packing large segments can search through: beyond that bound
// (docs/placement.md) an answer may miss the best, and the share that does is held here.
const Mix mixes[] = {
    {"two_weights", 1, 6000, 25, 1, 4, 4, {"0011.", "0001.", "0111.", "1.", "5511"}},
    {"three_weights", 2, 6000, 25, 1, 4, 4, {"012.", "00112.", "0012", "012", "0138."}},
    {"required", 3, 20000, 8, 1, 4, 4, {"000000.A", "000.000000000000A", "00000000.:A0000000000"}},
    {"required_and_weights", 4, 20000, 8, 1, 4, 4, {"0101010.AB", "000111222000111222AC", "1100D"}},
    {"larger_blocks", 7, 6000, 20, 1, 3, 8, {"00.", "000000.", "0.", "001", "00000000000A."}},
    {"more_blocks", 5, 5000, 12, 5, 6, 3, {"00.", "0000.", "0.", "000000001"}, 2},
    {"more_blocks_with_spares", 6, 3000, 12, 5, 6, 4, {"00.", "0000.", "000000000000A."}, 2},
};

class RandomTest : public testing::TestWithParam<Mix> {
  protected:
    /// One shape, for which the oracle remembers what it found.
    struct Setup {
        std::uint32_t blocks;
        std::vector<std::uint32_t> sizes;
        std::optional<Oracle> oracle;
    };

    std::vector<Setup> setups() {
        std::vector<Setup> list;
        for (std::uint32_t blocks = GetParam().least_blocks; blocks <= GetParam().most_blocks;
             ++blocks)
            for (const Factors& factors :
                 {Factors{}, {1}, {1, 2}, {1, 4}, {1, 2, 4}, {1, 2, 8}, {1, 8}})
                for (std::uint32_t planning = 1; planning <= GetParam().largest; ++planning)
                    list.push_back({blocks, block_sizes(factors, planning), std::nullopt});
        return list;
    }

    Case cluster(Random& random, const Setup& setup) {
        Case sample{.block_sizes = setup.sizes, .blocks = {}, .outside = {}, .job = {}};
        const auto& all = GetParam().marks;
        const std::string& marks =
            all[random.between(0, static_cast<std::uint32_t>(all.size()) - 1)];
        for (std::uint32_t block = 0; block < setup.blocks; ++block) {
            const std::uint32_t size =
                random.one_in(2) ? GetParam().largest : random.between(0, GetParam().largest);
            sample.blocks.push_back(random_nodes(random, size, marks));
        }
        // Without BlockSizes the first block that has nodes sets the planning size.
        if (setup.sizes.empty()) sample.blocks.back() += sample.blocks.back().empty() ? "0" : "";
        if (random.one_in(4)) sample.outside = random_nodes(random, random.between(1, 4), marks);
        sample.numbering = static_cast<Numbering>(random.between(0, 2));
        return sample;
    }
};

TEST_P(RandomTest, EngineAgreesWithTheOracle) {
    const Mix& mix = GetParam();
    Random random(mix.seed);
    BudgetComparison comparison(false);
    std::vector<Setup> list = setups();
    for (std::uint32_t i = 0; i < mix.clusters * scale(); ++i) {
        Setup& setup = list[i % list.size()];
        const Case sample = cluster(random, setup);
        const Instance instance(sample);
        const Request none = instance.with_required({});
        const Facts facts(instance.topology, none, instance.state());
        if (!setup.oracle || setup.oracle->shape() != facts.shape)
            setup.oracle.emplace(facts.shape, Counts(setup.blocks, mix.largest));
        const auto usable = static_cast<std::uint32_t>(facts.inside() + facts.outside.size());
        for (std::uint32_t j = 0; j < mix.requests; ++j)
            comparison.run(*setup.oracle, sample, instance, facts,
                           instance.with_required(random_request(random, usable, setup.blocks)));
    }
    (mix.most_blocks > 4 ? total().large : total().small).add(comparison);
    expect_agreement(comparison, mix.seed,
                     {.least_cases = std::uint64_t{mix.clusters} * mix.requests,
                      .beyond_per_mille = mix.beyond_per_mille});
}

INSTANTIATE_TEST_SUITE_P(Mixes, RandomTest, testing::ValuesIn(mixes),
                         [](const auto& param) { return std::string(param.param.name); });

// ---- policy demand -----------------------------------------------------------------------------

/// Sizes and shares at random.
std::string random_demand(Random& random, std::uint32_t largest) {
    std::map<std::uint32_t, std::uint32_t> sizes;
    for (std::uint32_t i = random.between(1, 4); i > 0; --i)
        sizes.try_emplace(random.between(1, largest), random.between(1, 20));
    std::string text;
    for (const auto& [nodes, share] : sizes)
        text += (text.empty() ? "" : "+") + std::to_string(nodes) + ":" + std::to_string(share);
    return text;
}

class DemandTest : public RandomTest {
  protected:
    /// Usable nodes are mostly idle, and others seldom.
    static std::string random_idle(Random& random, const Case& sample) {
        std::string idle;
        for (const std::string& text : sample.blocks) idle += text;
        idle += sample.outside;
        for (char& mark : idle) {
            const bool usable = mark >= '0' && mark <= 'J' && mark != ':';
            mark = random.one_in(usable ? 4 : 3) == usable ? '0' : '1';
        }
        return idle;
    }
};

TEST_P(DemandTest, EngineAgreesWithTheOracle) {
    const Mix& mix = GetParam();
    Random random(mix.seed);
    BudgetComparison comparison(false);
    std::vector<Setup> list = setups();
    for (std::uint32_t i = 0; i < mix.clusters * scale(); ++i) {
        Setup& setup = list[i % list.size()];
        Case sample = cluster(random, setup);
        if (random.one_in(3)) sample.idle = random_idle(random, sample);
        const Instance instance(sample);
        const Facts facts(instance.topology, instance.with_required({}), instance.state());
        if (!setup.oracle || setup.oracle->shape() != facts.shape)
            setup.oracle.emplace(facts.shape, Counts(setup.blocks, mix.largest));
        const auto usable = static_cast<std::uint32_t>(facts.inside() + facts.outside.size());
        const std::uint32_t widest = mix.largest * std::min(setup.blocks, 4U);
        for (std::uint32_t j = 0; j < mix.requests; ++j) {
            Request request = random_request(random, usable, setup.blocks);
            request.policy = Policy::demand;
            request.exclusive = request.exclusive && random.one_in(4);
            if (!random.one_in(10)) request.demand = demand_named(random_demand(random, widest));
            comparison.run(*setup.oracle, sample, instance, facts, instance.with_required(request));
        }
    }
    (mix.most_blocks > 4 ? total().large : total().small).add(comparison);
    expect_agreement(comparison, mix.seed,
                     {.least_cases = std::uint64_t{mix.clusters} * mix.requests,
                      .beyond_per_mille = mix.beyond_per_mille});
}

/// Without a demand the policy is pack, but for what is larger than planned in a base block and for
/// jobs of several segments.
TEST_P(DemandTest, OffIsPack) {
    const Mix& mix = GetParam();
    Random random(mix.seed);
    const std::vector<Setup> list = setups();
    std::uint64_t compared = 0;
    for (std::uint32_t i = 0; i < mix.clusters * scale(); ++i) {
        const Setup& setup = list[i % list.size()];
        const Case sample = cluster(random, setup);
        const Instance instance(sample);
        for (std::uint32_t j = 0; j < mix.requests; ++j) {
            const Request drawn = random_request(random, mix.largest * setup.blocks, setup.blocks);
            Request pack = instance.with_required(drawn);
            pack.policy = Policy::pack;
            const std::uint32_t planning = instance.topology.planning_size();
            const std::uint32_t segment = pack.segment_size;
            const std::uint32_t most_plain =
                segment > 0 ? std::min(segment, pack.max_nodes) : pack.max_nodes;
            if (pack.min_nodes <= mix.largest && most_plain > planning) continue;
            if (segment > planning && segment <= mix.largest) continue;
            if (segment > 0 && pack.max_nodes > segment) continue;
            Request off = pack;
            off.policy = Policy::demand;
            const Answer is = place(instance.topology, off, instance.state());
            const Answer wanted = place(instance.topology, pack, instance.state());
            ASSERT_EQ(is.index(), wanted.index()) << to_string(sample) << to_string(pack);
            ++compared;
            if (is.index() != 0) continue;
            const auto& a = std::get<Placement>(is);
            const auto& b = std::get<Placement>(wanted);
            ASSERT_EQ(a.segment_nodes, b.segment_nodes) << to_string(sample) << to_string(pack);
            ASSERT_EQ(a.steps, b.steps) << to_string(sample) << to_string(pack);
            ASSERT_EQ(a.proven, b.proven) << to_string(sample) << to_string(pack);
        }
    }
    EXPECT_GT(compared, mix.clusters);
}

const Mix demand_mixes[] = {
    {"plain", 21, 8000, 15, 1, 4, 4, {"00.", "0000.", "0.", "0"}},
    {"weights", 22, 3000, 12, 1, 4, 4, {"0011.", "012.", "0111."}},
    {"required", 23, 6000, 8, 1, 4, 4, {"000000.A", "000.000000000000A", "1100D"}},
    {"larger_blocks", 24, 6000, 12, 1, 3, 8, {"00.", "000000.", "0.", "00000000000A."}},
    {"more_blocks", 25, 3000, 10, 5, 6, 4, {"00.", "0000.", "0."}, 3},
};

INSTANTIATE_TEST_SUITE_P(Mixes, DemandTest, testing::ValuesIn(demand_mixes),
                         [](const auto& param) { return std::string(param.param.name); });

// ---- cases that once failed --------------------------------------------------------------------

const Case regressions[] = {
    {{2, 8}, {"00", "00", "00", "..", "00", "0.", "..", ".."}, "", "9"},
    // How many base blocks spread segments need: a block gives one segment no more than it takes.
    {{1, 2, 8},
     {"00.0", "0000", ".000", "0.", ".0", ".00"},
     "",
     "12 seg=3 spread cons max=2",
     Numbering::round_robin},
    {{1, 4}, {"000.", "0.00", "0000", "0", ".000", "000."}, "", "16 seg=8 spread cons max=3"},
    // The same with levels between base blocks and segments.
    {{2, 4, 16}, {"0000", "000.", "0", "0.00", "A000", "000"}, "", "16 seg=8 spread cons max=2"},
    {{1, 2, 8},
     {"0000", "00", "00.0", "..00", "00A0", "00.0"},
     "",
     "13-29 seg=4 spread max=1 compact",
     Numbering::round_robin},
    // Where slots count, one pair of base blocks or two can cost the same.
    {{1, 2}, {"", "0...", ".00", "...0"}, "", "3 demand=3:95+10:302+12:317+13:286"},
    {{}, {"", "0", "000", "0"}, "", "4 seg=4 spread max=2 demand=2:789+10:211"},
};

TEST(OracleRegressionTest, EngineAgreesWithTheOracle) {
    BudgetComparison comparison(true);
    for (const Case& sample : regressions) {
        const Instance instance(sample);
        const Request request = instance.with_required(parse_job(sample.job));
        const Facts facts(instance.topology, request, instance.state());
        Counts real(facts.shape.blocks);
        for (BlockIndex block = 0; block < facts.shape.blocks; ++block)
            real[block] = instance.topology.block_nodes(block);
        Oracle oracle(facts.shape, real);
        comparison.run(oracle, sample, instance, facts, request);
    }
    expect_agreement(comparison, 0, {});
}

}  // namespace
}  // namespace nvl72block::oracle
