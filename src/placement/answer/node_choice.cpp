// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/answer/node_choice.hpp"

#include <algorithm>

#include "placement/counts/totals.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {
namespace {

/// Keeps the best `count` of `nodes` (ascending on entry and exit); `some_required`: required nodes
/// may be among them; `idle`: those that are taken last at equal weight, or an empty set.
void keep_best(const Request& request, const State& state, bool some_required, NodeSetView idle,
               std::vector<NodeIndex>& nodes, std::size_t count) {
    if (nodes.size() <= count) return;
    const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(count);
    if (some_required || !state.weight.empty() || idle.size() > 0) {
        std::vector<std::tuple<bool, std::uint64_t, bool, NodeIndex>> ranked;  // the best first
        ranked.reserve(nodes.size());
        for (const NodeIndex node : nodes)
            ranked.emplace_back(!(some_required && request.required.test(node)),
                                state.weight.empty() ? 0 : state.weight[node],
                                idle.size() > 0 && idle.test(node), node);
        std::ranges::nth_element(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(count));
        for (std::size_t i = 0; i < count; ++i) nodes[i] = std::get<NodeIndex>(ranked[i]);
        std::sort(nodes.begin(), end);
    }
    nodes.resize(count);
}

/// Appends the best `count` usable nodes of a base block to `pool`.
void draw(const Ground& ground, const State& state, const Division& division, BlockIndex block,
          std::uint32_t count, std::vector<NodeIndex>& pool) {
    const Tally& tally = ground.tally;
    std::vector<NodeIndex> candidates;
    const auto draw_if = [&](std::uint32_t nodes, auto admits) {
        candidates.clear();
        tally.topology().for_each(block, state.usable, [&](NodeIndex node) {
            if (admits(node)) candidates.push_back(node);
        });
        keep_best(ground.request, state, tally.required(0, block) > 0, state.idle, candidates,
                  nodes);
        pool.insert(pool.end(), candidates.begin(), candidates.end());
    };
    const auto offers = tally.islands().of(block);
    if (!division.island_rule.holds || offers.empty()) {
        draw_if(count, [](NodeIndex) { return true; });
        return;
    }
    const std::vector<std::uint32_t> split =
        tally.islands().split(block, division.island_rule, count,
                              {tally.weight_classes(), ground.aim == Aim::total_weight});
    for (std::size_t i = 0; i < split.size(); ++i)
        if (split[i] > 0)
            draw_if(split[i], [&](NodeIndex node) {
                return tally.topology().islands()->island_of[node] == offers[i].island;
            });
}

/// `count` usable nodes in no block, by the same order as in one.
Placement choose_outside(const Topology& topology, const Request& request, const State& state,
                         std::uint32_t count) {
    Placement placement;
    placement.nodes = NodeSet(topology.node_count());
    state.usable.for_each([&](NodeIndex node) {
        if (topology.block_of(node) == no_block) placement.segment_nodes.push_back(node);
    });
    // Nothing is kept whole there.
    keep_best(request, state, !request.required.empty(), {}, placement.segment_nodes, count);
    for (const NodeIndex node : placement.segment_nodes) placement.nodes.set(node);
    placement.segment_begin = {0, count};
    return placement;
}

/// The preferred nodes in no block if they hold the totals, else those with the most CPUs or GPUs;
/// more nodes of the same order hold what fewer hold. Both totals asked for, a choice that is first
/// by neither nor by their shares is not seen: then `may_miss` is set.
std::optional<Placement> choose_holding(const Tally& tally, const Request& request, State state,
                                        std::uint32_t count, bool& may_miss, Effort& effort) {
    effort.steps += tally.outside();
    const Sums totals = totals_of(request, state);
    Placement most = choose_outside(tally.topology(), request, state, count);
    if (sums_of(state, most.nodes).hold(totals)) return most;
    bool excluded = false;
    for (const Mix& mix : {Mix{1, 0}, Mix{0, 1}, mix_of_shares(totals)}) {
        if (value(mix, totals) == 0) continue;  // counts nothing that is asked for
        const std::vector<std::uint64_t> weight = weights_of_lacking(state, mix);
        state.weight = weight;
        effort.steps += tally.outside();
        most = choose_outside(tally.topology(), request, state, count);
        most.proven = false;
        const Sums sums = sums_of(state, most.nodes);
        if (sums.hold(totals)) return most;
        excluded = excluded || value(mix, sums) < value(mix, totals);
    }
    may_miss = may_miss || !excluded;
    return std::nullopt;
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
    for (const BlockIndex block : placement.blocks) {
        const std::uint32_t count = taken[block];
        if (!ground.request.exclusive && tally.breaks(block, count)) ++placement.broken_blocks;
        cursor[block] = static_cast<std::uint32_t>(pool.size());
        draw(ground, state, division, block, count, pool);
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
