// SPDX-License-Identifier: GPL-2.0-or-later
//
// Enforced cliques against an exhaustive search of their own: every number of nodes from every
// place of every base block. Places make nodes of one base block differ, so the search of
// oracle.hpp does not see them; the ranks are judged by the same rules.hpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "cases.hpp"
#include "generator.hpp"
#include "nvl72block/clique.hpp"
#include "rules.hpp"

namespace nvl72block::oracle {
namespace {

/// The usable nodes of one place, in the order in which they are taken.
struct Part {
    BlockIndex block = 0;
    std::vector<NodeIndex> nodes;
    std::uint32_t required = 0;
};

class CliqueOracle {
  public:
    CliqueOracle(const Instance& site, const CliquePlaces& places, const Request& request,
                 const State& narrowed)
        : site_(site),
          request_(request),
          facts_(site.topology, request, narrowed),
          shape_(facts_.shape) {
        for (BlockIndex block = 0; block < site.topology.block_count(); ++block)
            for (std::uint32_t place = 0; place < places.place_count[block]; ++place) {
                Part part{block, {}, 0};
                for (const NodeIndex node : facts_.order[block])
                    if (places.place_of[node] == place) part.nodes.push_back(node);
                for (const NodeIndex node : part.nodes)
                    part.required += request.required.test(node) ? 1 : 0;
                parts_.push_back(std::move(part));
            }
    }

    /// The rank of the best answer with `nodes` nodes, if there is one.
    std::optional<Rank> best(std::uint32_t nodes) {
        best_.reset();
        taken_.assign(parts_.size(), 0);
        enumerate(0, nodes);
        return best_;
    }

    [[nodiscard]] Rank rank_of(const Placement& placement) const {
        return rank(facts_, site_.topology, request_, placement);
    }

  private:
    void enumerate(std::size_t part, std::uint32_t rest) {
        if (part == parts_.size()) {
            if (rest == 0 && legal()) judge();
            return;
        }
        const auto most = std::min(rest, static_cast<std::uint32_t>(parts_[part].nodes.size()));
        for (std::uint32_t nodes = parts_[part].required; nodes <= most; ++nodes) {
            taken_[part] = nodes;
            enumerate(part + 1, rest - nodes);
        }
        taken_[part] = 0;
    }

    bool legal() const {
        Counts of_block(shape_.blocks);
        std::uint32_t nodes = 0;
        std::size_t used_parts = 0;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            of_block[parts_[i].block] += taken_[i];
            nodes += taken_[i];
            used_parts += taken_[i] > 0 ? 1 : 0;
        }
        std::vector<std::uint32_t> used;
        for (std::uint32_t block = 0; block < shape_.blocks; ++block)
            if (of_block[block] > 0) used.push_back(block);
        if (request_.max_base_blocks != 0 && used.size() > request_.max_base_blocks) return false;
        const std::uint32_t size = request_.segment_size;
        if (size == 0 || nodes <= size)
            return nodes > shape_.planning ? plain_rule(shape_, used, nodes)
                                           : used_parts <= 1 && used.size() <= 1;
        const auto whole_segments = [&](std::uint32_t taken) { return taken % size == 0; };
        if (!std::ranges::all_of(taken_, whole_segments)) return false;
        const auto one_segment = [&](std::uint32_t taken) { return taken <= size; };
        if (request_.spread_segments && !std::ranges::all_of(of_block, one_segment)) return false;
        return !request_.consolidate_segments ||
               in_one_block(shape_, used, consolidation_level(shape_, request_, nodes));
    }

    void judge() {
        Placement placement;
        placement.nodes = NodeSet(site_.topology.node_count());
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (std::uint32_t k = 0; k < taken_[i]; ++k) placement.nodes.set(parts_[i].nodes[k]);
        Rank rank = rank_of(placement);
        if (!best_ || better(rank, *best_)) best_ = std::move(rank);
    }

    const Instance& site_;
    const Request& request_;
    Facts facts_;
    const Shape& shape_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> taken_;
    std::optional<Rank> best_;
};

CliquePlaces random_places(Random& random, const Topology& topology) {
    CliquePlaces places;
    places.place_of.assign(topology.node_count(), no_place);
    places.place_count.assign(topology.block_count(), 0);
    std::vector<std::uint32_t> most(topology.block_count());
    for (std::uint32_t& count : most) count = random.between(1, 3);
    const bool strays = random.one_in(3);
    for (NodeIndex node = 0; node < topology.node_count(); ++node) {
        const BlockIndex block = topology.block_of(node);
        if (block == no_block || (strays && random.one_in(5))) continue;
        places.place_of[node] = random.between(0, most[block] - 1);
        places.place_count[block] = most[block];
    }
    places.without_place = nodes_without_place(topology, places.place_of);
    return places;
}

Case random_site(Random& random) {
    static const std::vector<std::string> marks{"0", "00.", "001", "0011.", "000000A", "010210B."};
    const std::uint32_t planning = random.between(2, 5);
    Case sample{.block_sizes = {planning, 2 * planning}, .blocks = {}, .outside = {}, .job = {}};
    if (random.one_in(3)) sample.block_sizes.pop_back();
    const std::string& letters = marks[random.between(0, 5)];
    for (std::uint32_t block = random.between(1, 3); block > 0; --block)
        sample.blocks.push_back(random_nodes(random, random.between(0, 6), letters));
    if (sample.blocks.back().empty()) sample.blocks.back() = "0";
    sample.numbering = static_cast<Numbering>(random.between(0, 2));
    return sample;
}

Request random_request(Random& random, std::uint32_t nodes, std::uint32_t blocks) {
    Request request{.required = {}};
    request.min_nodes = random.between(1, std::max(1U, nodes));
    if (!random.one_in(3)) {
        request.segment_size = random.between(1, 5);
        if (request.min_nodes > request.segment_size)
            request.min_nodes -= request.min_nodes % request.segment_size;
        request.spread_segments = random.one_in(4);
        request.consolidate_segments = random.one_in(4);
    }
    request.max_nodes = request.min_nodes + (random.one_in(4) ? random.between(1, 4) : 0);
    vary(random, request, blocks);
    return request;
}

/// Whether every plain job or segment of up to the planning size lies in one place.
bool keeps_places(const Topology& topology, const CliquePlaces& places,
                  const Placement& placement) {
    for (std::size_t s = 0; s + 1 < placement.segment_begin.size(); ++s) {
        const auto begin = placement.segment_nodes.begin() + placement.segment_begin[s];
        const auto end = placement.segment_nodes.begin() + placement.segment_begin[s + 1];
        if (end - begin < 2) continue;
        const bool small = static_cast<std::uint32_t>(end - begin) <= topology.planning_size();
        const std::uint32_t place = places.place_of[*begin];
        for (auto node = begin; node != end; ++node) {
            if (places.place_of[*node] == no_place) return false;
            if (small && (places.place_of[*node] != place ||
                          topology.block_of(*node) != topology.block_of(*begin)))
                return false;
        }
    }
    return true;
}

class CliqueOracleTest : public testing::TestWithParam<std::uint64_t> {
  protected:
    std::uint64_t cases = 0, placed = 0;

    void compare(const Instance& site, const CliquePlaces& places, const Request& request) {
        ++cases;
        State state = site.state();
        state.places = &places;
        const Answer answer = place(site.topology, request, state);
        const auto* found = std::get_if<Placement>(&answer);
        placed += found != nullptr ? 1 : 0;
        if (found != nullptr) {
            ASSERT_TRUE(keeps_places(site.topology, places, *found));
        }
        const auto expected = solve(site, places, request);
        ASSERT_EQ(found != nullptr, expected.has_value())
            << (found != nullptr ? "" : sentence(std::get<Refusal>(answer)));
        if (found == nullptr) return;
        ASSERT_EQ(found->nodes.count(), expected->nodes);
        if (!expected->rank) return;
        const Rank is = expected->oracle->rank_of(*found);
        const int difference = first_difference(is, *expected->rank);
        ASSERT_TRUE(difference == 0 || difference == 6)
            << to_string(is) << "\n  " << to_string(*expected->rank);
    }

  private:
    struct Expected {
        std::uint32_t nodes = 0;
        std::optional<Rank> rank;  // none: a node without a place, for one-node jobs
        std::shared_ptr<CliqueOracle> oracle;
    };

    static bool required_have_places(const Instance& site, const CliquePlaces& places) {
        bool all = true;
        site.required.view().for_each(
            [&](NodeIndex node) { all = all && places.place_of[node] != no_place; });
        return all;
    }

    static std::optional<Expected> solve(const Instance& site, const CliquePlaces& places,
                                         const Request& request) {
        const bool heeds = request.max_nodes > 1 && request.segment_size != 1;
        CliquePlaces seen = places;
        NodeSet usable = site.usable;
        for (NodeIndex node = 0; node < site.topology.node_count(); ++node) {
            const BlockIndex block = site.topology.block_of(node);
            if (heeds && seen.place_of[node] == no_place && block != no_block) usable.reset(node);
            if (heeds || block == no_block) continue;
            seen.place_of[node] = 0;
            seen.place_count[block] = 1;
        }
        if (heeds && !required_have_places(site, places)) return std::nullopt;
        State state = site.state();
        state.usable = usable;
        const auto oracle = std::make_shared<CliqueOracle>(site, seen, request, state);
        const std::uint32_t size = request.segment_size;
        for (std::uint32_t nodes = request.max_nodes; nodes >= request.min_nodes; --nodes) {
            if (size != 0 && nodes > size && nodes % size != 0) continue;
            if (heeds && std::min(size, nodes) > site.topology.planning_size()) continue;
            if (auto rank = oracle->best(nodes)) return Expected{nodes, std::move(rank), oracle};
        }
        if (request.min_nodes == 1 && site.usable.count() > 0 && site.required.count() < 2)
            return Expected{1, std::nullopt, nullptr};
        return std::nullopt;
    }
};

TEST_P(CliqueOracleTest, EngineAgrees) {
    Random random(GetParam());
    for (int i = 0; i < 8000; ++i) {
        const Case sample = random_site(random);
        const Instance site(sample);
        const CliquePlaces places = random_places(random, site.topology);
        for (int j = 0; j < 12; ++j) {
            const Request request = site.with_required(
                random_request(random, site.usable.count(), site.topology.block_count()));
            if (request.required.count() > request.max_nodes) continue;
            SCOPED_TRACE(to_string(sample) + " " + to_string(request) + ", site " +
                         std::to_string(i));
            compare(site, places, request);
            if (HasFatalFailure()) return;
        }
    }
    std::cout << "seed " << GetParam() << ": " << cases << " cases with enforced cliques, "
              << placed << " placed\n";
    EXPECT_GT(placed, cases / 4);
    EXPECT_LT(placed, cases);
}

/// Racks by the hundred, where the greedy search takes over: no exhaustive search, but the rules.
TEST_P(CliqueOracleTest, RulesHoldOnLargeSites) {
    Random random(GetParam());
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
        const Instance site(sample);
        const CliquePlaces places = random_places(random, site.topology);
        State state = site.state();
        state.places = &places;
        for (int j = 0; j < 10; ++j) {
            Request request{.required = {}};
            request.segment_size = random.one_in(3) ? 0 : random.between(2, planning);
            request.min_nodes = std::max(1U, request.segment_size) *
                                random.between(1, std::max(1U, site.usable.count() / 8));
            request.max_nodes = request.min_nodes;
            vary(random, request, site.topology.block_count());
            ++cases;
            const Answer answer = place(site.topology, request, state);
            const auto* found = std::get_if<Placement>(&answer);
            if (found == nullptr) continue;
            ++placed;
            ASSERT_TRUE(keeps_places(site.topology, places, *found));
            ASSERT_EQ(check(site.topology, request, state, *found), "");
        }
    }
    std::cout << "seed " << GetParam() << ": " << cases << " large cases, " << placed
              << " placed\n";
    EXPECT_GT(placed, cases / 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CliqueOracleTest, testing::Values(1, 2, 3),
                         [](const auto& param) { return "seed" + std::to_string(param.param); });

}  // namespace
}  // namespace nvl72block::oracle
