// SPDX-License-Identifier: GPL-2.0-or-later
//
// Suggestions against the exhaustive search over nodes: each count, segment size and option is
// tried in turn, as nvl72block/suggestion.hpp specifies. NVL72BLOCK_ORACLE_SCALE multiplies the
// number of clusters.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>

#include "generator.hpp"
#include "node_oracle.hpp"
#include "nvl72block/suggestion.hpp"

namespace nvl72block::oracle {
namespace {

/// A question and what else of it there is.
struct Question {
    const Topology* topology = nullptr;
    Request request;
    State state;
    JobFacts job;
    SuggestionEffort effort{.sizes = 100, .counts = 100};
};

class Expected {
  public:
    explicit Expected(const Question& question)
        : question_(question),
          request_(question.request),
          shape_(*question.topology),
          rules_(shape_, Counts(shape_.blocks, 31)) {}

    std::vector<std::string> run() {
        fewer_nodes();
        for (std::uint32_t size = unit(request_.min_nodes) - 1;
             request_.min_nodes == request_.max_nodes && size > 0; --size) {
            Request smaller = request_;
            smaller.segment_size = size;
            if (request_.min_nodes % size != 0 || !fits(smaller)) continue;
            texts_.push_back("--segment=" + std::to_string(size));
            break;
        }
        Request without = request_;
        without.spread_segments = false;
        if (request_.spread_segments && fits(without))
            texts_.push_back("without --spread-segments");
        without = request_;
        without.consolidate_segments = false;
        if (request_.consolidate_segments && fits(without))
            texts_.push_back("without --consolidate-segments");
        without = request_;
        without.exclusive = false;
        if (request_.exclusive && question_.job.without_exclusive &&
            fits(without, *question_.job.without_exclusive))
            texts_.push_back("without --exclusive=topo");
        return texts_;
    }

  private:
    [[nodiscard]] std::uint32_t unit(std::uint32_t otherwise) const {
        return request_.segment_size == 0 ? otherwise : std::min(request_.segment_size, otherwise);
    }
    bool fits(const Request& request, const State& state) {
        return NodeOracle(rules_, *question_.topology, request, state).solve().has_value();
    }
    bool fits(const Request& request) { return fits(request, question_.state); }

    void fewer_nodes() {
        const std::uint32_t segment = std::max(request_.segment_size, 1U);
        if (request_.sized_by_totals || !request_.required.empty()) return;
        for (std::uint32_t nodes = request_.min_nodes - 1; nodes >= segment; --nodes) {
            const double share = static_cast<double>(nodes) / request_.min_nodes;
            Request fewer = request_;
            fewer.min_nodes = fewer.max_nodes = nodes;
            fewer.cpus = static_cast<std::uint64_t>(
                std::ceil(static_cast<double>(request_.cpus) * share - 1e-9));
            fewer.gpus = static_cast<std::uint64_t>(
                std::floor(static_cast<double>(request_.gpus) * share + 1e-9));
            if (nodes % segment != 0 || !fits(fewer)) continue;
            if (nodes < question_.job.least_nodes || (request_.gpus > 0 && fewer.gpus == 0)) return;
            texts_.push_back("--nodes=" + std::to_string(nodes) + tasks(fewer));
            if (request_.gpus > 0) texts_.back() += " --gpus=" + std::to_string(fewer.gpus);
            return;
        }
    }
    std::string tasks(Request fewer) {
        const std::uint32_t nodes = fewer.min_nodes;
        const std::uint64_t tasks = std::uint64_t{question_.job.tasks} * nodes / request_.min_nodes;
        fewer.cpus = request_.cpus;
        if (question_.job.tasks == 0 || (question_.job.tasks_may_follow && fits(fewer))) return "";
        return " --ntasks=" + std::to_string(std::max<std::uint64_t>(tasks, nodes));
    }

    const Question& question_;
    const Request& request_;
    Shape shape_;
    Oracle rules_;
    std::vector<std::string> texts_;
};

const std::string& one_of(Random& random, const std::vector<std::string>& texts) {
    return texts[random.between(0, static_cast<std::uint32_t>(texts.size()) - 1)];
}

Case random_cluster(Random& random) {
    static const std::vector<std::string> marks{"0", "0.", "00.", "0..", "001."};
    const std::uint32_t planning = random.between(2, 4);
    Case sample{.block_sizes = {planning}, .blocks = {}, .outside = {}, .job = {}};
    if (random.one_in(2)) sample.block_sizes.push_back(planning * 2);
    const std::string& letters = one_of(random, marks);
    for (std::uint32_t block = random.between(1, 3); block > 0; --block)
        sample.blocks.push_back(random_nodes(random, random.between(1, planning), letters));
    if (random.one_in(2)) give_resources(random, sample);
    if (random.one_in(4)) sample.islands = random_islands(random, sample);
    return sample;
}

Question random_question(Random& random, const Instance& instance, const NodeSet& more) {
    Question question{
        .topology = &instance.topology, .request = {}, .state = instance.state(), .job = {}};
    Request& request = question.request;
    request.segment_size = random.one_in(2) ? random.between(1, 4) : 0;
    request.min_nodes = random.between(1, 3) * std::max(request.segment_size, 2U);
    request.max_nodes = request.min_nodes + (random.one_in(4) ? random.between(1, 3) : 0);
    request.spread_segments = request.segment_size > 0 && random.one_in(3);
    request.consolidate_segments = request.segment_size > 0 && random.one_in(3);
    request.exclusive = random.one_in(3);
    request.cpus = random_total(random, instance, instance.cpus);
    request.gpus = random_total(random, instance, instance.gpus);
    request.sized_by_totals = random.one_in(8);
    question.job.least_nodes = random.one_in(3) ? random.between(1, request.min_nodes) : 1;
    question.job.tasks = random.one_in(2) ? random.between(1, 12) : 0;
    question.job.tasks_may_follow = random.one_in(2);
    if (!random.one_in(3)) {
        question.job.without_exclusive = question.state;
        question.job.without_exclusive->usable = more;
    }
    return question;
}

std::vector<std::string> found(const Question& question) {
    std::vector<std::string> texts;
    for (const SuggestedChange& change : suggested_changes(
             *question.topology, question.request, question.state, question.job, question.effort))
        texts.push_back(to_string(change));
    return texts;
}

/// Calls `each` for random questions that the engine refuses.
void for_each_refused(std::uint64_t seed, std::uint32_t clusters,
                      const std::function<void(const Case&, const Question&)>& each) {
    Random random(seed);
    for (std::uint32_t i = 0; i < clusters; ++i) {
        const Case sample = random_cluster(random);
        const Instance instance(sample);
        NodeSet all(instance.topology.node_count());
        for (NodeIndex node = 0; node < all.size(); ++node) all.set(node);
        for (int j = 0; j < 8; ++j) {
            const Question question = random_question(random, instance, all);
            if (place(*question.topology, question.request, question.state).index() == 1)
                each(sample, question);
        }
    }
}

class SuggestionOracle : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SuggestionOracle, EngineAgrees) {
    std::uint32_t cases = 0, changes = 0;
    for_each_refused(GetParam(), 1500 * scale(), [&](const Case& sample, const Question& question) {
        const auto texts = found(question);
        ++cases;
        changes += static_cast<std::uint32_t>(texts.size());
        Case shown = sample;
        shown.job = to_string(question.request);
        ASSERT_EQ(texts, Expected(question).run()) << to_string(shown);
    });
    std::cout << cases << " refused requests, " << changes << " suggestions\n";
    EXPECT_GT(cases, 1000U);
    EXPECT_GT(changes, cases / 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SuggestionOracle, testing::Values(1, 2),
                         [](const auto& param) { return "seed" + std::to_string(param.param); });

/// What a search with a fault would be asked instead.
struct Plant {
    const char* name;
    void (*change)(Question&);
};

TEST(SuggestionOracleSelf, NoticesPlantedFaults) {
    const Plant plants[] = {
        {"one size only", [](Question& question) { question.effort.sizes = 1; }},
        {"one count only", [](Question& question) { question.effort.counts = 1; }},
        {"no least node count", [](Question& question) { question.job.least_nodes = 1; }},
        {"tasks stay", [](Question& question) { question.job.tasks_may_follow ^= true; }},
        {"CPUs do not matter", [](Question& question) { question.request.cpus = 0; }},
        {"GPUs do not matter", [](Question& question) { question.request.gpus = 0; }},
        {"blocks in use",
         [](Question& question) {
             if (question.job.without_exclusive) question.job.without_exclusive = question.state;
         }},
        {"segments do not matter", [](Question& question) { question.request.segment_size = 0; }},
    };
    for (const Plant& plant : plants) {
        std::uint32_t noticed = 0;
        for_each_refused(3, 400, [&](const Case&, const Question& question) {
            if (noticed > 0) return;
            Question planted = question;
            plant.change(planted);
            noticed += found(planted) == Expected(question).run() ? 0 : 1;
        });
        EXPECT_GT(noticed, 0U) << plant.name;
    }
}

}  // namespace
}  // namespace nvl72block::oracle
