// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/segments_in_turn.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "placement/count/effort.hpp"
#include "placement/count/offer.hpp"
#include "placement/search/greedy_search.hpp"

namespace nvl72block {
namespace {

class InTurn {
  public:
    InTurn(const Tally& tally, const Problem& problem, std::uint64_t& steps)
        : tally_(tally), problem_(problem), steps_(steps), left_(tally.vertices(0)) {}

    std::optional<Plan> run(std::uint32_t scope) {
        for (BlockIndex block = 0; block < left_.size(); ++block)
            left_[block] = tally_.free(0, block);
        plan_ = {};
        const Below units = below(tally_, problem_.scope_level, scope, problem_.unit_level);
        std::vector<std::uint32_t> vertices;
        for (std::uint32_t vertex = units.first; vertex < units.last; ++vertex)
            vertices.push_back(vertex);
        std::stable_sort(vertices.begin(), vertices.end(), [&](std::uint32_t a, std::uint32_t b) {
            return tally_.free(problem_.unit_level, a) > tally_.free(problem_.unit_level, b);
        });
        std::uint32_t placed = 0;
        for (const std::uint32_t vertex : vertices) {
            if (placed == problem_.units) break;
            by_free_ = lower_blocks(vertex);
            while (placed < problem_.units && place_one()) ++placed;
        }
        if (placed < problem_.units) return std::nullopt;
        if (problem_.max_base_blocks != 0 && base_blocks(plan_) > problem_.max_base_blocks)
            return std::nullopt;
        return std::move(plan_);
    }

  private:
    /// Lower blocks by the nodes that they have left, fullest last.
    using ByFree = std::set<std::pair<std::uint32_t, std::uint32_t>>;

    /// The next segment in the vertex: the fullest lower blocks, and instead of the last of them
    /// the least full one that suffices.
    bool place_one() {
        std::vector<ByFree::iterator> used;
        std::uint32_t rest = problem_.unit_nodes;
        for (auto next = by_free_.end(); rest > 0; steps_ += 2 * steps_per_insertion) {
            if (next == by_free_.begin() || used.size() == problem_.segment_rule.limit)
                return false;
            --next;
            if (next->first >= rest) {
                used.push_back(by_free_.lower_bound({rest, 0}));
                break;
            }
            used.push_back(next);
            rest -= next->first;
        }
        rest = problem_.unit_nodes;
        for (const auto& lower : used) {
            const auto [nodes, vertex] = *lower;
            const std::uint32_t taken = std::min(nodes, rest);
            by_free_.erase(lower);
            rest -= taken;
            take(vertex, taken);
            if (const std::uint32_t left = left_in(vertex); left > 0)
                by_free_.emplace(left, vertex);
        }
        plan_.close_segment();
        return true;
    }

    std::uint32_t left_in(std::uint32_t lower) {
        const std::size_t level = problem_.segment_rule.lower;
        std::uint32_t nodes = 0;
        for (BlockIndex block = tally_.first_block(level, lower);
             block < tally_.last_block(level, lower); ++block, ++steps_)
            nodes += left_[block];
        return nodes;
    }

    ByFree lower_blocks(std::uint32_t vertex) {
        const Below range = below(tally_, problem_.unit_level, vertex, problem_.segment_rule.lower);
        ByFree lower;
        for (std::uint32_t index = range.first; index < range.last; ++index)
            if (const std::uint32_t nodes = left_in(index); nodes > 0) lower.emplace(nodes, index);
        steps_ += lower.size() * steps_per_insertion;
        return lower;
    }

    /// `nodes` nodes of a lower block, from its fullest base blocks.
    void take(std::uint32_t lower, std::uint32_t nodes) {
        const std::size_t level = problem_.segment_rule.lower;
        while (nodes > 0) {
            const auto first = left_.begin() + tally_.first_block(level, lower);
            const auto end = left_.begin() + tally_.last_block(level, lower);
            const auto fullest = std::max_element(first, end);
            const std::uint32_t taken = std::min(nodes, *fullest);
            plan_.shares.push_back({static_cast<BlockIndex>(fullest - left_.begin()), taken});
            *fullest = problem_.spread ? 0 : *fullest - taken;
            nodes -= taken;
        }
    }

    const Tally& tally_;
    const Problem& problem_;
    std::uint64_t& steps_;
    ByFree by_free_;                   // of the vertex that segments are placed in
    std::vector<std::uint32_t> left_;  // per base block: nodes that no segment has taken
    Plan plan_;
};

}  // namespace

std::optional<Plan> place_in_turn(const Tally& tally, const Problem& problem,
                                  std::uint64_t& steps) {
    if (tally.required_in_blocks() > 0) return std::nullopt;
    InTurn in_turn(tally, problem, steps);
    for (std::uint32_t scope = 0; scope < tally.vertices(problem.scope_level); ++scope) {
        if (tally.free(problem.scope_level, scope) < problem.nodes) continue;
        std::optional<Plan> plan = in_turn.run(scope);
        if (!plan) continue;
        plan->island_rule = island_rule(problem);
        return plan;
    }
    return std::nullopt;
}

}  // namespace nvl72block
