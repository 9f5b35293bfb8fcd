// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/answer/node_choice.hpp"

#include <algorithm>
#include <utility>

#include "placement/counts/totals.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {
namespace {

/// Chooses among usable nodes, many times with the same memory.
class NodeChoice {
  public:
    NodeChoice(const Request& request, const State& state) : request_(request), state_(state) {}

    /// Keeps the best `count` of `nodes` (ascending before and after); `some_required`: of them up
    /// to `count` may be required; `idle`: those that are taken last at equal weight, or none.
    void keep_best(bool some_required, NodeSetView idle, std::vector<NodeIndex>& nodes,
                   std::size_t count) {
        if (nodes.size() <= count) return;
        if (count == 0 || (!some_required && state_.weight.empty() && idle.size() == 0))
            return nodes.resize(count);
        const auto rank = [&](NodeIndex node) -> Rank {
            if (some_required && request_.required.test(node)) return {};
            const std::uint64_t later = idle.size() > 0 && idle.test(node) ? 1 : 0;
            return {state_.weight.empty() ? 0 : state_.weight[node], (later << 32) + node + 1};
        };
        ranks_.clear();
        for (const NodeIndex node : nodes) ranks_.push_back(rank(node));
        const auto last = ranks_.begin() + static_cast<std::ptrdiff_t>(count - 1);
        std::ranges::nth_element(ranks_, last);
        std::erase_if(nodes, [&](NodeIndex node) { return rank(node) > *last; });
    }

    /// Appends the best `count` usable nodes of a base block to `pool`.
    void draw(const Ground& ground, const Division& division, BlockIndex block, std::uint32_t count,
              std::vector<NodeIndex>& pool) {
        const Tally& tally = ground.tally;
        const bool some_required = tally.required(0, block) > 0;
        nodes_.clear();
        tally.topology().for_each(block, state_.usable,
                                  [&](NodeIndex node) { nodes_.push_back(node); });
        const auto offers = tally.islands().of(block);
        if (!division.island_rule.holds || offers.empty()) {
            keep_best(some_required, state_.idle, nodes_, count);
            pool.insert(pool.end(), nodes_.begin(), nodes_.end());
            return;
        }
        // The offers ascend by island.
        const std::vector<std::uint32_t>& island_of = tally.topology().islands()->island_of;
        std::ranges::sort(nodes_, {},
                          [&](NodeIndex node) { return std::pair(island_of[node], node); });
        const std::vector<std::uint32_t> split =
            tally.islands().split(block, division.island_rule, count,
                                  {tally.weight_classes(), ground.aim == Aim::total_weight});
        auto first = nodes_.cbegin();
        for (std::size_t i = 0; i < split.size(); first += offers[i++].free) {
            island_.assign(first, first + offers[i].free);
            keep_best(some_required, state_.idle, island_, split[i]);
            pool.insert(pool.end(), island_.begin(), island_.end());
        }
    }

  private:
    /// The weight, then what breaks ties; the best first, which required nodes are.
    using Rank = std::pair<std::uint64_t, std::uint64_t>;

    const Request& request_;
    const State& state_;
    std::vector<NodeIndex> nodes_, island_;  // of a base block, and of an island in it
    std::vector<Rank> ranks_;
};

/// `count` usable nodes in no block, by the same order as in one.
Placement choose_outside(const Topology& topology, const Request& request, const State& state,
                         std::uint32_t count) {
    Placement placement;
    placement.nodes = NodeSet(topology.node_count());
    state.usable.for_each([&](NodeIndex node) {
        if (topology.block_of(node) == no_block) placement.segment_nodes.push_back(node);
    });
    // Nothing is kept whole there.
    NodeChoice(request, state)
        .keep_best(!request.required.empty(), {}, placement.segment_nodes, count);
    for (const NodeIndex node : placement.segment_nodes) placement.nodes.set(node);
    placement.segment_begin = {0, count};
    return placement;
}

/// The preferred nodes in no block if they hold the totals, else those with the most CPUs, GPUs or
/// of a mix of both. A choice that is first by no mix is not seen: then `may_miss` is set.
std::optional<Placement> choose_holding(const Tally& tally, const Request& request,
                                        const State& state, std::uint32_t count, bool& may_miss,
                                        Effort& effort) {
    const Sums totals = totals_of(request, state);
    const auto choose = [&](std::span<const std::uint64_t> weight) {
        effort.steps += state.usable.size();
        State weighted = state;
        weighted.weight = weight;
        return choose_outside(tally.topology(), request, weighted, count);
    };
    std::optional<Placement> most = choose(state.weight);
    Sums sums = sums_of(state, most->nodes);
    if (sums.hold(totals)) return most;
    for (const Mix& mix : {Mix{1, 0}, Mix{0, 1}, mix_of_shares(totals)}) {
        most = choose(weights_of_lacking(state, mix));
        sums = sums_of(state, most->nodes);
        if (value(mix, sums) < value(mix, totals)) return std::nullopt;  // no nodes hold them
        if (sums.hold(totals)) break;
    }
    if (!sums.hold(totals)) most = name_holding(state, totals, sums, {effort, 0, choose});
    may_miss = may_miss || !most;
    if (most) most->proven = false;
    return most;
}

}  // namespace

Placement choose_nodes(const Ground& ground, const State& state, const Division& division) {
    const Tally& tally = ground.tally;
    const Topology& topology = tally.topology();
    Placement placement;
    placement.nodes = NodeSet(topology.node_count());
    std::vector<std::uint32_t> taken(topology.block_count());
    std::size_t nodes = 0;
    for (const Share& share : division.shares) {
        if (taken[share.block] == 0) placement.blocks.push_back(share.block);
        taken[share.block] += share.nodes;
        nodes += share.nodes;
    }
    std::sort(placement.blocks.begin(), placement.blocks.end());
    std::vector<NodeIndex> pool;  // the chosen nodes, block after block
    pool.reserve(nodes);
    std::vector<std::uint32_t>& cursor = taken;
    NodeChoice choice(ground.request, state);
    for (const BlockIndex block : placement.blocks) {
        const std::uint32_t count = taken[block];
        if (!ground.request.exclusive && tally.breaks(block, count)) ++placement.broken_blocks;
        cursor[block] = static_cast<std::uint32_t>(pool.size());
        choice.draw(ground, division, block, count, pool);
    }
    for (const NodeIndex node : pool) placement.nodes.set(node);
    placement.segment_nodes.reserve(nodes);
    placement.segment_begin = {0};
    for (std::size_t segment = 1; segment < division.segment_begin.size(); ++segment) {
        for (auto i = division.segment_begin[segment - 1]; i < division.segment_begin[segment];
             ++i) {
            const Share& share = division.shares[i];
            const auto from = pool.begin() + cursor[share.block];
            placement.segment_nodes.insert(placement.segment_nodes.end(), from, from + share.nodes);
            cursor[share.block] += share.nodes;
        }
        std::sort(placement.segment_nodes.begin() + placement.segment_begin.back(),
                  placement.segment_nodes.end());
        placement.segment_begin.push_back(
            static_cast<std::uint32_t>(placement.segment_nodes.size()));
    }
    return placement;
}

std::optional<Placement> place_outside(const Tally& tally, const Request& request,
                                       const State& state, Effort& effort) {
    if (request.segment_size != 0 || tally.required_in_blocks() != 0) return std::nullopt;
    const std::uint32_t fewest = std::max(request.min_nodes, tally.required_outside());
    const std::uint32_t most = std::min(request.max_nodes, tally.outside());
    if (most < fewest) return std::nullopt;
    bool may_miss = false;
    std::optional<Placement> placement =
        choose_holding(tally, request, state, most, may_miss, effort);
    if (!placement) {
        effort.complete = effort.complete && !may_miss;
        return std::nullopt;
    }
    const auto too_few = [&](std::uint32_t count) {
        std::optional<Placement> fewer =
            choose_holding(tally, request, state, count, may_miss, effort);
        if (!fewer) {
            effort.proven = effort.proven && !may_miss;
            return true;
        }
        placement = std::move(fewer);
        return false;
    };
    if (request.sized_by_totals) (void)first_failing(fewest, most, too_few);
    effort.proven = effort.proven && placement->proven;
    return placement;
}

}  // namespace nvl72block
