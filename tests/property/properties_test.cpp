// SPDX-License-Identifier: GPL-2.0-or-later
//
// What must hold for clusters of any size, where no exhaustive search can tell the best answer.
// NVL72BLOCK_ORACLE_SCALE multiplies the number of clusters (default 1).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <numeric>

#include "cases.hpp"
#include "comparison.hpp"
#include "findings.hpp"
#include "generator.hpp"
#include "refusals.hpp"
#include "rules.hpp"

namespace nvl72block::oracle {
namespace {

// ---- large random clusters and requests --------------------------------------------------------

/// How a cluster's base blocks are filled.
struct Filling {
    std::uint32_t real;        ///< nodes of an ordinary base block
    std::string whole;         ///< marks of a block that is mostly free
    std::string partly;        ///< and of one that is not
    std::uint32_t one_partly;  ///< one block in this many is partly free
};

Filling random_filling(Random& random, bool weights) {
    static const std::vector<std::uint32_t> real{1, 2, 4, 8, 16, 18, 18, 18, 36};
    Filling filling{.real = real[random.between(0, 8)],
                    .whole = "0",
                    .partly = random.one_in(2) ? "0." : "0...",
                    .one_partly = random.between(1, 6)};
    if (random.one_in(2)) filling.whole = "0000000000000000000.";
    if (weights) {
        filling.whole += filling.whole + filling.whole + "1";
        filling.partly += "12";
    }
    if (random.one_in(3)) filling.partly += std::string(60, '.') + "A";
    return filling;
}

std::vector<std::uint32_t> random_sizes(Random& random, std::uint32_t real) {
    const std::uint32_t planning = std::max(1U, real - random.between(0, std::min(real, 3U)));
    std::vector<std::uint32_t> sizes{planning};
    for (unsigned exponent = 1; exponent <= 10; ++exponent)
        if (random.one_in(2)) sizes.push_back(planning << exponent);
    if (random.one_in(4)) sizes.resize(1);
    return sizes;
}

/// A cluster of up to `most_blocks` base blocks, small ones as likely as large ones.
Case random_cluster(Random& random, std::uint32_t most_blocks, bool weights) {
    const Filling filling = random_filling(random, weights);
    std::uint32_t most = 1;
    while (most < most_blocks && !random.one_in(8)) most *= 2;
    const std::uint32_t blocks = random.between(1, std::min(most, most_blocks));
    Case sample{
        .block_sizes = random_sizes(random, filling.real), .blocks = {}, .outside = {}, .job = {}};
    for (std::uint32_t block = 0; block < blocks; ++block) {
        const bool partly = random.one_in(filling.one_partly);
        const std::uint32_t size =
            random.one_in(10) ? random.between(0, filling.real + 2) : filling.real;
        sample.blocks.push_back(
            random_nodes(random, size, partly ? filling.partly : filling.whole));
    }
    if (random.one_in(4)) sample.outside = random_nodes(random, random.between(1, 40), "00.");
    sample.numbering = static_cast<Numbering>(random.between(0, 2));
    return sample;
}

/// BlockSizes as clusters of racks with 18 nodes have them.
std::vector<std::uint32_t> rack_sizes(Random& random, std::uint32_t racks) {
    const auto every = [&](std::uint32_t planning) {
        std::vector<std::uint32_t> sizes;
        for (std::uint32_t width = 1; width <= racks; width *= 2) sizes.push_back(planning * width);
        return sizes;
    };
    switch (random.between(0, 4)) {
        case 0:
            return {18};
        case 1:
            return every(16);
        case 2:
            return every(18);
        case 3:
            return {18, 144, 1152};
        default:
            return {16, 64, 256, 1024};
    }
}

/// The nodes of one rack: all of them, all but one, any number, or each at random.
std::string rack_nodes(Random& random, std::uint32_t filling, const std::string& marks) {
    constexpr std::uint32_t nodes = 18;
    const std::uint32_t busy = filling == 0   ? 0
                               : filling == 1 ? random.between(0, 1)
                               : filling == 2 ? random.between(0, nodes)
                                              : 0;
    std::string text = random_nodes(random, nodes - busy, marks) + std::string(busy, '.');
    for (char& mark : text)
        if (filling > 2 && random.between(1, 10) < filling) mark = '.';
    return text;
}

/// 100 to 3,600 racks of 18 nodes.
Case random_racks(Random& random) {
    static const std::vector<std::string> weights{"0", "0", "0", "01", "0000012", "0123456789"};
    const std::uint32_t racks =
        random.one_in(5) ? random.between(513, 3600) : random.between(100, 512);
    const std::uint32_t filling = random.between(0, 9);
    const std::string& all = weights[random.between(0, 5)];
    const bool required = random.one_in(6);
    Case sample{.block_sizes = rack_sizes(random, racks), .blocks = {}, .outside = {}, .job = {}};
    for (std::uint32_t rack = 0; rack < racks; ++rack) {
        const std::string marks = random.one_in(4) ? all : std::string(1, random.pick(all));
        sample.blocks.push_back(rack_nodes(random, filling, marks));
        std::string& nodes = sample.blocks.back();
        if (required && random.one_in(9) && nodes.front() != '.')
            nodes.front() = static_cast<char>(nodes.front() - '0' + 'A');
    }
    return sample;
}

/// A request that has a fair chance to fit and a fair chance not to.
Request random_request(Random& random, const Facts& facts, std::uint32_t required) {
    Request request{.required = {}};
    const std::uint32_t usable = std::max(1U, facts.inside());
    const auto size = [&](std::uint32_t most) {
        const std::uint32_t few = std::min(most, 4 * facts.shape.planning);
        return random.one_in(2) ? random.between(1, std::max(1U, few)) : random.between(1, most);
    };
    if (random.one_in(2)) {
        request.min_nodes = std::max(size(usable), required);
    } else {
        request.segment_size = size(std::min(usable, 6 * facts.shape.planning));
        const std::uint32_t most = std::max(1U, usable / request.segment_size);
        request.min_nodes = request.segment_size * random.between(1, most);
        request.spread_segments = random.one_in(3);
        request.consolidate_segments = random.one_in(4);
    }
    request.max_nodes = request.min_nodes;
    if (random.one_in(6)) request.max_nodes += random.between(1, 20);
    vary(random, request, facts.shape.blocks);
    if (!random.one_in(6)) request.max_base_blocks = 0;
    return request;
}

// ---- comparing answers -------------------------------------------------------------------------

const Placement* placement(const Answer& answer) {
    return std::get_if<Placement>(&answer);
}

std::uint64_t steps(const Answer& answer) {
    return std::visit([](const auto& outcome) { return outcome.steps; }, answer);
}

bool same(const Refusal& a, const Refusal& b) {
    const auto numbers = [](const Refusal& r) {
        return std::tuple(r.reason, r.permanent, r.wanted_nodes, r.usable_nodes, r.usable_outside,
                          r.segments_wanted, r.segments_fit, r.level_size, r.best_fit_nodes,
                          r.needed_base_blocks, r.steps, r.detail);
    };
    return numbers(a) == numbers(b) && sentence(a) == sentence(b);
}

bool same(const Answer& a, const Answer& b) {
    if (a.index() != b.index()) return false;
    if (const auto* refusal = std::get_if<Refusal>(&a)) return same(*refusal, std::get<Refusal>(b));
    const auto& x = std::get<Placement>(a);
    const auto& y = std::get<Placement>(b);
    return x.nodes == y.nodes && x.segment_nodes == y.segment_nodes &&
           x.segment_begin == y.segment_begin && x.blocks == y.blocks && x.steps == y.steps;
}

constexpr std::size_t shown_examples = 10;

/// One random case.
struct Trial {
    const Case& sample;
    const Instance& instance;
    Request request;

    [[nodiscard]] Facts facts() const { return {instance.topology, request, instance.state()}; }
};

/// The bound on the work of one decision: the budget, and passes over blocks and nodes. It knows no
/// product of nodes and segments.
std::uint64_t most_steps(const Topology& topology) {
    const std::uint64_t blocks = topology.block_count() * (topology.levels().size() + 1);
    const std::uint64_t budget = std::max<std::uint64_t>(640 * topology.block_count(), 327'680);
    return budget + 100 * (blocks + topology.node_count());
}

class PropertyTest : public testing::TestWithParam<std::uint64_t> {
  protected:
    Random random{GetParam()};
    std::uint64_t cases = 0, placed = 0;
    /// Of the cases may fail where the engine says that its search limit was reached; else none
    /// may.
    std::uint64_t beyond_per_mille = 0;

    void fail(const Trial& trial, std::string kind, const std::string& detail) {
        const Facts facts = trial.facts();
        const std::string job = job_kind(facts, trial.request);
        kind += ", " + job.substr(0, job.find(' '));  // plain, segment<=b or segment>b
        const std::size_t size = trial.sample.blocks.size() + facts.inside();
        std::string text;
        if (findings_.keeps(kind, size)) {
            Case shown = trial.sample;
            shown.job = to_string(trial.request);
            text = to_string(shown);
            if (text.size() > 4000) text = text.substr(0, 200) + " ... " + shown.job;
            text += "\n      seed " + std::to_string(GetParam()) + ", case " +
                    std::to_string(cases) + " " + detail;
        }
        findings_.add(kind, job, size, text);
    }

    /// Calls `property(trial)` for `requests` requests to each of `clusters` random clusters.
    template <typename Property>
    void for_random_cases(std::uint32_t clusters, std::uint32_t requests, Property property) {
        for (std::uint32_t i = 0; i < clusters * scale(); ++i) {
            static constexpr std::uint32_t sizes[] = {4000, 32, 8, 8};
            const Case sample = i % 5 == 4 ? random_racks(random)
                                           : random_cluster(random, sizes[i % 5], random.one_in(3));
            const Instance instance(sample);
            const Facts facts(instance.topology, instance.with_required({}), instance.state());
            for (std::uint32_t j = 0; j < requests; ++j) {
                ++cases;
                property(Trial{sample, instance,
                               instance.with_required(
                                   random_request(random, facts, instance.required.count()))});
            }
        }
    }

    Answer decide(const Instance& instance, const Request& request, const State& state) {
        const auto begin = std::chrono::steady_clock::now();
        Answer answer = place(instance.topology, request, state);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (took.count() > slowest_) {
            slowest_ = took.count();
            slowest_case_ = "case " + std::to_string(cases) + ", " +
                            std::to_string(instance.topology.block_count()) + " blocks of " +
                            std::to_string(instance.topology.planning_size()) + ", " +
                            to_string(request) + ", steps " + std::to_string(steps(answer));
        }
        placed += answer.index() == 0 ? 1 : 0;
        EXPECT_LE(steps(answer), most_steps(instance.topology))
            << to_string(request) << " on " << instance.topology.block_count() << " blocks";
        return answer;
    }

    void TearDown() override {
        std::cout << "seed " << GetParam() << ": " << cases << " cases, " << placed << " placed, "
                  << findings_.count() << " failures, " << findings_.beyond()
                  << " beyond the bounds ("
                  << 1000.0 * static_cast<double>(findings_.beyond()) / static_cast<double>(cases)
                  << " of 1000); slowest decision " << slowest_ * 1e3 << " ms in " << slowest_case_
                  << "\n";
        EXPECT_EQ(findings_.count(), 0U) << findings_.report(shown_examples);
        EXPECT_LE(findings_.beyond() * 1000, cases * beyond_per_mille)
            << findings_.report(shown_examples);
    }

  private:
    Findings findings_;
    double slowest_ = 0;
    std::string slowest_case_;
};

// ---- the properties ----------------------------------------------------------------------------

TEST_P(PropertyTest, RulesHoldAndTheAnswerIsTheSameTwice) {
    for_random_cases(150, 10, [&](const Trial& trial) {
        const State state = trial.instance.state();
        const Answer answer = decide(trial.instance, trial.request, state);
        const Placement* found = placement(answer);
        const std::string trouble =
            found != nullptr ? check(trial.instance.topology, trial.request, state, *found)
                             : check_refusal(trial.instance.topology, trial.request, state,
                                             std::get<Refusal>(answer));
        if (!trouble.empty()) fail(trial, found != nullptr ? "breaks a rule" : "refusal", trouble);
        if (!same(answer, decide(trial.instance, trial.request, state)))
            fail(trial, "another answer the second time", "");
    });
}

/// Makes about one busy node in `one_in` usable.
void free_some(Random& random, NodeSet& usable, std::uint32_t one_in) {
    for (NodeIndex node = 0; node < usable.size(); ++node)
        if (!usable.test(node) && random.one_in(one_in)) usable.set(node);
}

TEST_P(PropertyTest, FreeingNodesNeverMakesAJobInfeasible) {
    beyond_per_mille = 1;  // segments larger than a block, beyond what packing can search
    for_random_cases(120, 6, [&](const Trial& trial) {
        State state = trial.instance.state();
        NodeSet usable = trial.instance.usable;
        std::uint32_t before = 0;  // nodes of the former answer, if it lay in blocks
        bool fits = false;
        for (const std::uint32_t one_in : {1000U, 200U, 50U, 10U, 3U}) {
            state.usable = usable;
            const Answer answer = decide(trial.instance, trial.request, state);
            const Placement* found = placement(answer);
            if (fits && found == nullptr)
                fail(trial,
                     std::get<Refusal>(answer).proven ? "does not fit any more"
                                                      : "beyond: does not fit any more",
                     "");
            const bool in_blocks = found != nullptr && !found->blocks.empty();
            if (in_blocks && found->nodes.count() < before)
                fail(trial, "fewer nodes of the range than before", "");
            if (in_blocks) before = found->nodes.count();
            fits = found != nullptr;
            free_some(random, usable, one_in);
        }
    });
}

/// The base blocks in an order that the rules cannot tell from file order: whole blocks of a level
/// change positions inside their block of the level above, incomplete ones stay last.
std::vector<std::uint32_t> shuffled_blocks(Random& random, const Topology& topology) {
    std::vector<std::uint32_t> order(topology.block_count());
    std::iota(order.begin(), order.end(), 0U);
    const auto levels = topology.levels();
    for (std::size_t level = 0; level < levels.size(); ++level) {
        const std::uint32_t width = 1U << levels[level].exponent;
        const std::uint32_t complete = topology.block_count() / width;
        const bool top = level + 1 == levels.size();
        const std::uint32_t group =
            top ? std::max(1U, complete)
                : 1U << (levels[level + 1].exponent - levels[level].exponent);
        for (std::uint32_t unit = 0; unit < complete; ++unit) {
            const std::uint32_t last = std::min(unit / group * group + group, complete) - 1;
            const std::uint32_t other = random.between(unit, last);
            if (other == unit) continue;
            std::swap_ranges(order.begin() + unit * width, order.begin() + (unit + 1) * width,
                             order.begin() + other * width);
        }
    }
    return order;
}

TEST_P(PropertyTest, TheOrderOfEqualBlocksDoesNotMatter) {
    beyond_per_mille = 25;  // segments larger than a block
    for_random_cases(120, 8, [&](const Trial& trial) {
        Case other = trial.sample;
        const auto order = shuffled_blocks(random, trial.instance.topology);
        for (std::size_t i = 0; i < order.size(); ++i)
            other.blocks[i] = trial.sample.blocks[order[i]];
        const Instance moved_instance(other);
        const Trial moved{other, moved_instance, moved_instance.with_required(trial.request)};
        const Answer a = decide(trial.instance, trial.request, trial.instance.state());
        const Answer b = decide(moved.instance, moved.request, moved.instance.state());
        const auto beyond = [](const Answer& worse) {
            const bool proven = is_proven(worse);
            return std::string(proven ? "" : "beyond: ");
        };
        if (a.index() != b.index())
            return fail(trial, beyond(a.index() == 1 ? a : b) + "fits in one order only",
                        to_string(other));
        if (placement(a) == nullptr) return;
        const Rank one = rank(trial.facts(), trial.instance.topology, trial.request, *placement(a));
        const Rank two = rank(moved.facts(), moved.instance.topology, moved.request, *placement(b));
        const int difference = first_difference(one, two);
        if (difference == 0 || difference == 6) return;
        const bool worse = better(two, one);
        fail(worse ? trial : moved,
             beyond(worse ? a : b) + "order changes preference " + std::to_string(difference),
             "better in the order\n      " + to_string(worse ? other : trial.sample));
    });
}

/// Requests that every answer to `request` answers as well.
std::vector<std::pair<const char*, Request>> looser(const Request& request) {
    std::vector<std::pair<const char*, Request>> list(5, {"", request});
    list[0].first = "the other policy";
    list[0].second.policy = request.policy == Policy::pack ? Policy::compact : Policy::pack;
    list[1].first = "exclusive or not";
    list[1].second.exclusive = !request.exclusive;
    list[2].first = "without max_base_blocks";
    list[2].second.max_base_blocks = 0;
    list[3].first = "without consolidate";
    list[3].second.consolidate_segments = false;
    list[4].first = "without required nodes";
    list[4].second.required = {};
    if (!request.consolidate_segments) {
        list.emplace_back("without spread", request);
        list.back().second.spread_segments = false;
    }
    return list;
}

TEST_P(PropertyTest, NoAnswerToAStricterRequestIsBetter) {
    beyond_per_mille = 15;
    for_random_cases(120, 5, [&](Trial trial) {
        const Instance& instance = trial.instance;
        trial.request.max_nodes = trial.request.min_nodes;
        const Answer strict = decide(instance, trial.request, instance.state());
        if (placement(strict) == nullptr || placement(strict)->blocks.empty()) return;
        const std::string from = " after " + to_string(trial.request);
        for (const auto& [name, loose] : looser(trial.request)) {
            const Trial again{trial.sample, instance, loose};
            const Answer answer = decide(instance, loose, instance.state());
            if (const auto* refusal = std::get_if<Refusal>(&answer)) {
                fail(again,
                     refusal->proven ? "refuses what fits a stricter request"
                                     : "beyond: refuses what fits a stricter request",
                     name + from);
                continue;
            }
            const Facts facts = again.facts();
            const Rank found = rank(facts, instance.topology, loose, *placement(answer));
            const Rank known = rank(facts, instance.topology, loose, *placement(strict));
            const int difference = first_difference(found, known);
            if (!better(known, found) || difference == 6) continue;
            const char* beyond = placement(answer)->proven ? "" : "beyond: ";
            fail(again, beyond + ("preference " + std::to_string(difference)), name + from);
        }
    });
}

TEST_P(PropertyTest, ARangeIsNeverBelowAFixedCountInIt) {
    beyond_per_mille = 5;
    for_random_cases(120, 4, [&](Trial trial) {
        const Instance& instance = trial.instance;
        const std::uint32_t step = std::max(1U, trial.request.segment_size);
        trial.request.max_nodes =
            trial.request.min_nodes + step * random.between(1, 1 + instance.usable.count() / step);
        const Answer range = decide(instance, trial.request, instance.state());
        const Placement* most = placement(range);
        for (int i = 0; i < 4; ++i) {
            Request fixed = trial.request;
            fixed.min_nodes += step * random.between(0, (fixed.max_nodes - fixed.min_nodes) / step);
            fixed.max_nodes = fixed.min_nodes;
            const std::uint32_t nodes = fixed.min_nodes;
            if (most != nullptr && most->nodes.count() > nodes) continue;
            const Answer one = decide(instance, fixed, instance.state());
            if (placement(one) == nullptr || placement(one)->blocks.empty()) continue;
            const bool proven = is_proven(range);
            const std::string beyond = proven ? "" : "beyond: ";
            const std::string text =
                fmt::format(" gives {} nodes against {}", most == nullptr ? 0 : most->nodes.count(),
                            to_string(fixed));
            if (most == nullptr || most->nodes.count() < nodes) {
                fail(trial, beyond + "a range below a fixed count in it", text);
                break;  // a case counts once
            }
            const Facts facts = trial.facts();
            const Rank found = rank(facts, instance.topology, fixed, *most);
            const Rank known = rank(facts, instance.topology, fixed, *placement(one));
            const int difference = first_difference(found, known);
            if (!better(known, found) || difference == 6) continue;
            fail(trial, beyond + "a range worse in preference " + std::to_string(difference), text);
            break;
        }
    });
}

// ---- segments of more nodes than a rack has ----------------------------------------------------

/// Racks of 18 with some nodes busy, and one node in some rack that the job requires.
Case random_pods(Random& random) {
    static const std::vector<std::vector<std::uint32_t>> sizes{
        {18, 72, 288}, {16, 64, 256}, {18, 144, 1152}, {18, 144}};
    static constexpr std::uint32_t racks[] = {8, 16, 33, 64, 128, 512};
    constexpr std::uint32_t nodes = 18;
    Case sample{.block_sizes = sizes[random.between(0, 3)], .blocks = {}, .outside = {}, .job = {}};
    const std::uint32_t busy = random.between(2, 30);
    const std::uint32_t uneven = random.between(0, 8);  // what a rack lacks at most
    for (std::uint32_t rack = racks[random.between(0, 5)]; rack > 0; --rack) {
        std::string& text = sample.blocks.emplace_back();
        for (std::uint32_t node = random.between(0, uneven); node < nodes; ++node)
            text += random.between(1, 100) <= busy ? '.' : '0';
    }
    std::string& text =
        sample.blocks[random.between(0, static_cast<std::uint32_t>(sample.blocks.size()) - 1)];
    if (!random.one_in(4))
        text[random.between(0, static_cast<std::uint32_t>(text.size()) - 1)] = 'A';
    return sample;
}

Request random_segments(Random& random) {
    Request request{.required = {}};
    request.segment_size = random.between(20, 36);
    request.min_nodes = request.max_nodes = request.segment_size * random.between(2, 4);
    request.spread_segments = random.one_in(5);
    request.policy = random.one_in(3) ? Policy::demand : Policy::pack;
    if (random.one_in(4)) request.max_base_blocks = request.min_nodes / 18 + random.between(1, 3);
    return request;
}

/// Forms of a case that everything which answers them answers as well.
std::vector<Case> restricted_forms(Random& random, const Case& sample, const Request& request) {
    std::vector<Case> forms{sample};  // with a block size that holds a segment more tightly
    std::uint32_t size = sample.block_sizes.front();
    while (size < request.segment_size) size *= 2;
    if (size < sample.block_sizes[1])
        forms.front().block_sizes.insert(forms.front().block_sizes.begin() + 1, size);
    for (const std::uint32_t one_in : {2U, 4U}) {  // with racks excluded
        Case& form = forms.emplace_back(sample);
        for (std::string& text : form.blocks)
            if (random.one_in(one_in) && text.find('A') == std::string::npos)
                std::ranges::replace(text, '0', 'e');
    }
    return forms;
}

TEST_P(PropertyTest, LargeSegmentsAreNotRefusedWhereARestrictedFormIsPlaced) {
    for (std::uint32_t i = 0; i < 60 * scale(); ++i) {
        const Case sample = random_pods(random);
        const Instance instance(sample);
        const Request request = random_segments(random);
        const Trial trial{sample, instance, instance.with_required(request)};
        ++cases;
        if (placement(decide(instance, trial.request, instance.state())) != nullptr) continue;
        for (const Case& form : restricted_forms(random, sample, request)) {
            const Instance restricted(form);
            const Answer answer =
                decide(restricted, restricted.with_required(request), restricted.state());
            if (placement(answer) == nullptr) continue;
            fail(trial, "refuses what a restricted form places", to_string(form));
            break;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PropertyTest, testing::Values(1, 2),
                         [](const auto& param) { return "seed" + std::to_string(param.param); });

}  // namespace
}  // namespace nvl72block::oracle
