// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "placement/packing/ways.hpp"
#include "placement/preference/taken_nodes.hpp"

namespace nvl72block {

std::uint32_t PackedVertex::least_blocks(std::uint32_t segments) const {
    std::vector<std::uint32_t> free;
    std::uint64_t lacking = std::uint64_t{segments} * problem.unit_nodes;
    std::uint32_t blocks = 0;
    const BlockIndex last = tally.last_block(level(), index);
    for (BlockIndex block = tally.first_block(level(), index); block < last; ++block) {
        if (tally.required(0, block) == 0) {
            free.push_back(tally.free(0, block));
            continue;
        }
        ++blocks;
        lacking -= std::min<std::uint64_t>(lacking, tally.free(0, block));
    }
    std::sort(free.begin(), free.end(), std::greater<>());
    for (std::size_t i = 0; i < free.size() && lacking > 0; ++i, ++blocks)
        lacking -= std::min<std::uint64_t>(lacking, free[i]);
    return blocks;
}

Cost PackedCollector::cost_of(const std::vector<Share>& taken) const {
    effort_.steps += 2 * taken.size();
    return cost_of_taken(vertex_.tally, vertex_.layout, vertex_.level(), taken);
}

Cost PackedCollector::best_cost(std::uint32_t segments, std::uint32_t blocks) const {
    const auto known = cheapest_.find({segments, blocks});
    return known == cheapest_.end() ? impossible_cost() : known->second.cost;
}

bool PackedCollector::is_better(std::uint32_t segments, const std::vector<Share>& taken) const {
    const std::uint32_t most = vertex_.problem.max_base_blocks;
    if (most != 0 && taken.size() > most) return false;
    return vertex_.layout.less(cost_of(taken), best_cost(segments, blocks_key(taken.size())));
}

void PackedCollector::keep(std::uint32_t segments, const std::vector<Share>& taken,
                           std::vector<std::vector<Share>> shares) {
    for (std::vector<Share>& segment : shares) {
        std::sort(segment.begin(), segment.end(),
                  [](const Share& a, const Share& b) { return a.block < b.block; });
        effort_.steps += segment.size();
    }
    cheapest_[{segments, blocks_key(taken.size())}] = {
        segments, static_cast<std::uint32_t>(taken.size()), cost_of(taken), std::move(shares)};
}

bool PackedCollector::has(std::uint32_t segments) const {
    const auto known = cheapest_.lower_bound({segments, 0});
    return known != cheapest_.end() && known->first.first == segments;
}

std::vector<PackedWay> PackedCollector::ways() && {
    std::vector<PackedWay> ways;
    ways.reserve(cheapest_.size());
    for (auto& [key, way] : cheapest_) ways.push_back(std::move(way));
    return ways;
}

bool needs_packing(const Tally& tally, const Problem& problem, std::uint32_t vertex) {
    if (problem.spread) return true;
    std::uint32_t parts = 0;
    for (std::uint32_t child = tally.first_child(problem.unit_level, vertex);
         child < tally.last_child(problem.unit_level, vertex); ++child)
        parts += tally.free(problem.unit_level - 1, child) > 0 ? 1 : 0;
    return parts > problem.segment_rule.limit;
}

bool packs_segments(const Tally& tally, const Problem& problem) {
    if (!problem.large_segments()) return false;
    for (std::uint32_t vertex = 0; vertex < tally.vertices(problem.unit_level); ++vertex)
        if (needs_packing(tally, problem, vertex)) return true;
    return false;
}

PackedWays pack_vertex(const Tally& tally, const CostLayout& layout, const Problem& problem,
                       std::uint32_t vertex, std::uint32_t least, std::uint32_t most,
                       Effort& effort) {
    const PackedVertex packed{tally, layout, problem, vertex};
    return problem.spread ? pack_spread(packed, least, most, effort)
                          : pack_shared(packed, least, most, effort);
}

std::vector<PackedWay> construct_ways(const Tally& tally, const CostLayout& layout,
                                      const Problem& problem, std::uint32_t vertex,
                                      std::uint32_t segments, Effort& effort) {
    const PackedVertex packed{tally, layout, problem, vertex};
    return problem.spread ? construct_spread(packed, segments, effort)
                          : construct_shared(packed, segments, effort);
}

std::uint32_t most_packed(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                          Effort& effort) {
    const std::uint32_t shared = most_shared(tally, problem, vertex, effort);
    return problem.spread ? std::min(shared, most_spread(tally, problem, vertex, effort)) : shared;
}

}  // namespace nvl72block
