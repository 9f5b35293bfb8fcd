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

Packing::Packing(const PackedVertex& vertex, std::size_t part_level,
                 std::vector<std::uint32_t> parts, Effort& effort)
    : vertex_(vertex),
      tally_(vertex.tally),
      effort_(effort),
      rule_{vertex.problem.unit_nodes, vertex.problem.segment_rule.limit},
      part_level_(part_level),
      parts_(std::move(parts)) {}

// ---- the steps ---------------------------------------------------------------------------------

PackedWays Packing::run(std::uint32_t least, std::uint32_t most) {
    const std::uint32_t required = tally_.required(vertex_.level(), vertex_.index);
    if (least == 0 && required == 0) keep(0, {}, {});
    least = std::max({least, 1U, (required + rule_.nodes - 1) / rule_.nodes});
    most = std::min(most, bound());
    PackedWays result;
    if (least <= most) {
        impossible_.assign(most + 1U, 0);
        for (std::uint32_t segments = least; segments <= most; ++segments)
            if (segments == least || segments == most || effort_.left() > 0) construct(segments);
        result.exact = prove(least, most);
        for (std::uint32_t segments = least; segments <= most; ++segments)
            result.complete = result.complete && (impossible_[segments] != 0 || has(segments));
    }
    result.ways = ways();
    return result;
}

std::vector<PackedWay> Packing::only_construct(std::uint32_t segments) {
    impossible_.assign(segments + 1U, 0);
    construct(segments);
    return ways();
}

/// The nodes of least cost are the best answer wherever segments can be cut from them; what that
/// leaves open all subsets of the parts decide, if these are few. Spread segments mostly miss the
/// least cost: then subsets come first.
bool Packing::prove(std::uint32_t least, std::uint32_t most) {
    relaxed_.emplace(vertex_, least, most, effort_);
    const bool spread = vertex_.problem.spread;
    // Where there are levels between the parts and the vertex, parts do not add up to its cost.
    const bool costs_add_up = part_level_ == vertex_.lower();
    if (spread && try_subsets(open_amounts(least, most), most) && costs_add_up) return true;
    (void)relaxed_->find();
    const std::vector<LabelKey> open = open_amounts(least, most);
    return open.empty() || (!spread && try_subsets(open, most));
}

/// The amounts that may have a better way than the best known.
std::vector<LabelKey> Packing::open_amounts(std::uint32_t least, std::uint32_t most) {
    std::vector<LabelKey> open;
    for (std::uint32_t segments = least; segments <= most; ++segments) {
        if (impossible_[segments] != 0) continue;
        const std::vector<LabelKey> all = amounts(segments);
        impossible_[segments] = all.empty() ? 1 : 0;
        for (const LabelKey& amount : all)
            if (!relaxed_->found() || !attains(amount)) open.push_back(amount);
    }
    return open;
}

/// The amounts of nodes that so many segments may have; where no tables tell, by every number of
/// base blocks.
std::vector<LabelKey> Packing::amounts(std::uint32_t segments) const {
    if (relaxed_->found()) return relaxed_->amounts(segments);
    std::vector<LabelKey> amounts;
    for (std::uint32_t blocks = 0; blocks <= vertex_.problem.max_base_blocks; ++blocks)
        amounts.push_back({segments * rule_.nodes, 0, blocks});
    return amounts;
}

bool Packing::has_least_cost(const LabelKey& amount) const {
    return best_cost({amount.units / rule_.nodes, amount.blocks}) == relaxed_->cost(amount);
}

/// False when the parts are too many.
bool Packing::try_subsets(const std::vector<LabelKey>& open, std::uint32_t most) {
    if (part_level_ > 0 && !relaxed_->found()) return false;
    std::vector<const LabelTable*> tables;
    for (const std::uint32_t part : parts_) tables.push_back(&relaxed_->part(part_level_, part));
    SubsetChoice choice(vertex_, std::move(tables), subset_rule(), most, effort_);
    if (!choice.run()) return false;
    for (const LabelKey& amount : open) {
        const std::uint32_t segments = amount.units / rule_.nodes;
        if (const auto chosen = choice.cheapest(segments, amount.blocks))
            keep_chosen(segments, *chosen);
    }
    for (const LabelKey& amount : open)
        if (!has(amount.units / rule_.nodes)) impossible_[amount.units / rule_.nodes] = 1;
    return true;
}

// ---- the best ways -----------------------------------------------------------------------------

Cost Packing::cost_of(const std::vector<Share>& taken) const {
    effort_.steps += 2 * taken.size();
    return cost_of_taken(tally_, vertex_.layout, vertex_.level(), taken);
}

Cost Packing::best_cost(const Key& key) const {
    const auto known = cheapest_.find(key);
    return known == cheapest_.end() ? impossible_cost() : known->second.cost;
}

bool Packing::is_better(std::uint32_t segments, const std::vector<Share>& taken) const {
    const std::uint32_t most = vertex_.problem.max_base_blocks;
    if (most != 0 && taken.size() > most) return false;
    return vertex_.layout.less(cost_of(taken), best_cost(key(segments, taken.size())));
}

void Packing::keep(std::uint32_t segments, const std::vector<Share>& taken,
                   std::vector<std::vector<Share>> shares) {
    for (std::vector<Share>& segment : shares) {
        std::sort(segment.begin(), segment.end(),
                  [](const Share& a, const Share& b) { return a.block < b.block; });
        effort_.steps += segment.size();
    }
    cheapest_[key(segments, taken.size())] = {segments, static_cast<std::uint32_t>(taken.size()),
                                              cost_of(taken), std::move(shares)};
}

bool Packing::has(std::uint32_t segments) const {
    const auto known = cheapest_.lower_bound({segments, 0});
    return known != cheapest_.end() && known->first.first == segments;
}

std::vector<PackedWay> Packing::ways() {
    std::vector<PackedWay> ways;
    ways.reserve(cheapest_.size());
    for (auto& [key, way] : cheapest_) ways.push_back(std::move(way));
    return ways;
}

// ---- for the searches --------------------------------------------------------------------------

namespace {

std::unique_ptr<Packing> packing_of(const PackedVertex& vertex, Effort& effort) {
    return vertex.problem.spread ? spread_packing(vertex, effort) : shared_packing(vertex, effort);
}

}  // namespace

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
    return packing_of(packed, effort)->run(least, most);
}

std::vector<PackedWay> construct_ways(const Tally& tally, const CostLayout& layout,
                                      const Problem& problem, std::uint32_t vertex,
                                      std::uint32_t segments, Effort& effort) {
    const PackedVertex packed{tally, layout, problem, vertex};
    return packing_of(packed, effort)->only_construct(segments);
}

std::uint32_t most_packed(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                          Effort& effort) {
    const std::uint32_t shared = most_shared(tally, problem, vertex, effort);
    return problem.spread ? std::min(shared, most_spread(tally, problem, vertex, effort)) : shared;
}

}  // namespace nvl72block
