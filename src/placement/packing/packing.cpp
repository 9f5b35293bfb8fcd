// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/packing.hpp"

#include <algorithm>
#include <optional>

#include "placement/bound/offer.hpp"
#include "placement/packing/best_ways.hpp"
#include "placement/packing/subset_choice.hpp"
#include "placement/preference/taken_nodes.hpp"
#include "placement/search/tree_search.hpp"

namespace nvl72block {
namespace {

/// The blocks of a level below a vertex of the unit level that have free nodes.
std::vector<SegmentPart> usable_parts(const Tally& tally, const Problem& problem,
                                      std::uint32_t vertex, std::size_t level) {
    std::vector<SegmentPart> parts;
    const unsigned exponent = tally.topology().exponent_between(level, problem.unit_level - 1);
    for (const std::uint32_t part : tally.below(problem.unit_level, vertex, level)) {
        if (tally.free(level, part) == 0) continue;
        const std::uint32_t first = parts.empty() ? part : parts.front().vertex;
        parts.push_back({tally.free(level, part), tally.required(level, part),
                         (part >> exponent) - (first >> exponent), part});
    }
    return parts;
}

/// The least cost of as many nodes as some segments have, as if segments could be cut anyhow, by
/// the tables of the exact search for a plain job in the vertex.
struct RelaxedCosts {
    /// For `least` to `most` segments. The costs of base blocks are known at once.
    RelaxedCosts(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most,
                 Effort& effort)
        : nodes{.nodes = least * vertex.problem.unit_nodes,
                .units = most * vertex.problem.unit_nodes,
                .scope_level = vertex.level(),
                .max_base_blocks = vertex.problem.max_base_blocks},
          tree(vertex.tally(), nodes, {vertex.index, vertex.index + 1}),
          search(vertex.layout, tree, {}, effort) {}

    const Problem nodes;  // a plain job in the vertex
    const ShapeTree tree;
    TreeSearch search;
    bool found = false;  // the tables of all amounts are made
};

/// The best ways to give segments from one vertex. Parts are the blocks of the next lower level;
/// with spread base blocks, each of which serves one segment.
class Packing {
  public:
    Packing(const PackedVertex& vertex, Effort& effort)
        : vertex_(vertex),
          tally_(vertex.tally()),
          problem_(vertex.problem),
          effort_(effort),
          rule_{problem_.unit_nodes, problem_.segment_rule.limit, problem_.spread},
          part_level_(problem_.spread ? 0 : vertex.level() - 1),
          parts_(usable_parts(tally_, problem_, vertex.index, part_level_)),
          best_(vertex, rule_, part_level_, parts_, effort) {
        effort_.steps += parts_.size();
        if (!problem_.spread) grouping_.emplace(parts_, rule_, effort_);
    }

    /// As pack_vertex() has it.
    PackedWays run(std::uint32_t least, std::uint32_t most) {
        const std::uint32_t required = tally_.required(vertex_.level(), vertex_.index);
        if (least == 0 && required == 0) best_.propose(0, {}, {});
        least = std::max({least, 1U, (required + rule_.nodes - 1) / rule_.nodes});
        most = std::min(most, grouping_ ? grouping_->bound()
                                        : most_packed(tally_, problem_, vertex_.index, effort_));
        impossible_.resize(most + 1U);
        for (std::uint32_t segments = least; segments <= most; ++segments)
            if (segments == least || segments == most || effort_.left() > 0)
                impossible_[segments] = !construct(segments);
        PackedWays result;
        result.exact = least > most || prove(least, most);
        // Under a limit on base blocks a way proves nothing about one that leaves more for others.
        const bool in_fewest = problem_.max_base_blocks == 0 || result.exact || all_sets_;
        for (std::uint32_t segments = least; segments <= most; ++segments)
            result.complete =
                result.complete && (impossible_[segments] || (in_fewest && best_.has(segments)));
        result.ways = best_.take();
        return result;
    }

    /// As construct_ways() has it.
    std::vector<PackedWay> only_construct(std::uint32_t segments) {
        construct(segments);
        return best_.take();
    }

  private:
    /// Ways by rules of thumb for the choice of the parts and of the nodes in them. False if it is
    /// proven that there is none.
    bool construct(std::uint32_t segments) {
        const std::uint32_t limit = problem_.max_base_blocks;
        if (limit != 0) {
            if (needed_.empty()) needed_ = blocks_needed(tally_, problem_, vertex_.index);
            if (segments >= needed_.size() || needed_[segments] > limit) return false;
        }
        bool complete = grouping_.has_value();
        const std::optional<PartGroups> groups =
            grouping_ ? grouping_->groups_for(segments, complete)
                      : choose_sets(parts_, rule_, segments, effort_);
        if (!groups) return !complete;
        propose_groups(segments, *groups);
        if (!grouping_ || groups->size() != 1) return true;
        PartGroup preferred = preferred_parts(groups->front());
        if (!std::ranges::is_permutation(preferred.parts, groups->front().parts))
            propose_groups(segments, {std::move(preferred)});
        return true;
    }

    void propose_groups(std::uint32_t segments, const PartGroups& groups) {
        effort_.steps += steps_per_construction;
        std::vector<Share> before;
        for (const TakeOrder order : {TakeOrder::largest, TakeOrder::broken}) {
            std::vector<Share> taken;
            for (const PartGroup& group : groups) {
                std::vector<BlockIndex> blocks;
                for (const std::uint32_t part : group.parts)
                    for (const BlockIndex block : tally_.blocks(part_level_, parts_[part].vertex))
                        if (tally_.free(0, block) > 0) blocks.push_back(block);
                const std::vector<Share> more = take_nodes(
                    tally_, std::move(blocks), group.segments * rule_.nodes, order, effort_);
                taken.insert(taken.end(), more.begin(), more.end());
            }
            if (taken == before) continue;
            before = taken;
            best_.propose(segments, std::move(taken), groups);
        }
    }

    /// How much rather than others a part serves: by its lightest nodes where weights differ, else
    /// broken ones before whole ones; then the fullest.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> rank(const SegmentPart& part) const {
        if (tally_.weight_classes().size() > 1)
            return {tally_.lightest(part_level_, part.vertex), part.free};
        return {tally_.whole(part_level_, part.vertex) ? 0 : 1, part.free};
    }

    /// As many parts as one group may have, the largest ones exchanged for preferred ones as long
    /// as the nodes suffice.
    [[nodiscard]] PartGroup preferred_parts(PartGroup one) const {
        std::vector<bool> in(parts_.size());
        for (const std::uint32_t part : one.parts) in[part] = true;
        const std::uint64_t most = most_parts(rule_, one.segments);
        for (const std::uint32_t part : grouping_->largest_first()) {
            if (one.parts.size() >= most) break;
            if (!in[part]) one.parts.push_back(part);
            in[part] = true;
        }
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ranks;
        std::vector<std::uint32_t> outside;
        for (std::uint32_t part = 0; part < parts_.size(); ++part) {
            ranks.push_back(rank(parts_[part]));
            if (!in[part]) outside.push_back(part);
        }
        const auto rank_of = [&](std::uint32_t part) { return ranks[part]; };
        std::ranges::sort(outside, std::greater{}, rank_of);
        std::ranges::sort(one.parts, std::greater{}, rank_of);
        effort_.steps += 2 * parts_.size();
        std::int64_t spare = -std::int64_t{one.segments} * rule_.nodes;
        for (const std::uint32_t part : one.parts) spare += parts_[part].free;
        std::size_t next = 0;
        for (std::size_t i = one.parts.size(); i-- > 0 && next < outside.size();) {
            std::uint32_t& part = one.parts[i];
            if (ranks[outside[next]].first <= ranks[part].first) break;
            const std::int64_t more =
                std::int64_t{parts_[outside[next]].free} - std::int64_t{parts_[part].free};
            if (parts_[part].required > 0 || spare + more < 0) continue;
            spare += more;
            part = outside[next++];
        }
        return one;
    }

    /// README.md, "Packed segments". Spread segments mostly miss the least cost: sets come first.
    [[nodiscard]] bool prove(std::uint32_t least, std::uint32_t most) {
        relaxed_.emplace(vertex_, least, most, effort_);
        // Levels between the parts and the vertex have a cost that the parts do not add up to.
        const bool costs_add_up = part_level_ + 1 == vertex_.level() || vertex_.layout.flat();
        if (problem_.spread && try_subsets(open_amounts(least, most), most) && costs_add_up)
            return true;
        const std::uint64_t steps_per_sum = 1 + vertex_.layout.words() / 4;
        if (relaxed_->tree.work() * steps_per_sum <= effort_.left()) {
            if (relaxed_->search.prices().possible()) relaxed_->search.fill();
            relaxed_->found = !relaxed_->search.ended();
        }
        const std::vector<LabelKey> open = open_amounts(least, most);
        return open.empty() || (!problem_.spread && try_subsets(open, most));
    }

    /// The amounts of nodes that may have a better way than the best known; where no tables tell,
    /// by every number of base blocks.
    [[nodiscard]] std::vector<LabelKey> open_amounts(std::uint32_t least, std::uint32_t most) {
        std::vector<LabelKey> open;
        for (std::uint32_t segments = least; segments <= most; ++segments) {
            if (impossible_[segments]) continue;
            const std::uint32_t nodes = segments * rule_.nodes;
            if (!relaxed_->found) {
                for (std::uint32_t blocks = 0; blocks <= problem_.max_base_blocks; ++blocks)
                    open.push_back({nodes, 0, blocks});
                continue;
            }
            const auto [begin, end] = relaxed_table().with_units(nodes, nodes);
            impossible_[segments] = begin == end;
            for (std::size_t i = begin; i < end; ++i)
                if (!attains(relaxed_table().key(i))) open.push_back(relaxed_table().key(i));
        }
        return open;
    }

    /// By nodes, and base blocks (0 where these are not limited): what these cost in the vertex at
    /// least, its own cost included. None of an amount that is impossible.
    [[nodiscard]] const LabelTable& relaxed_table() const {
        return relaxed_->search.table(vertex_.level(), vertex_.index);
    }

    /// Whether the least cost of an amount is met by what is kept or, without spread, by exactly
    /// the nodes of that cost: if segments can be cut from them.
    [[nodiscard]] bool attains(const LabelKey& amount) {
        const std::uint32_t segments = amount.units / rule_.nodes;
        if (problem_.spread)
            return best_.cost(segments, amount.blocks) ==
                   relaxed_table().copy_of_cost(relaxed_table().find(amount));
        Division taken;
        relaxed_->search.emit(vertex_.level(), vertex_.index, amount, taken);
        std::vector<SegmentPart> amounts;
        const unsigned exponent = tally_.topology().exponent_between(0, part_level_);
        for (const Share& share : joined(taken.shares, exponent))
            amounts.push_back({share.nodes, share.nodes, 0, share.block});
        bool complete = true;
        std::optional<PartGroups> groups =
            PartGrouping(amounts, rule_, effort_).groups_for(segments, complete);
        if (!groups) return false;
        for (PartGroup& group : *groups)
            for (std::uint32_t& part : group.parts) part = best_.position_of(amounts[part].vertex);
        best_.propose(segments, std::move(taken.shares), *groups);
        return true;
    }

    /// False when the parts are too many.
    [[nodiscard]] bool try_subsets(const std::vector<LabelKey>& open, std::uint32_t most) {
        if (part_level_ > 0 && !relaxed_->found) return false;
        const TreeSearch& search = relaxed_->search;
        std::vector<const LabelTable*> tables;
        for (const SegmentPart& part : parts_)
            tables.push_back(part_level_ == 0 ? &search.costs_of(part.vertex)
                                              : &search.table(part_level_, part.vertex));
        SubsetChoice choice(vertex_, std::move(tables), parts_, rule_, most, effort_);
        if (!choice.run()) return false;
        for (const LabelKey& amount : open) {
            const ChosenGroups chosen = choice.cheapest(amount);
            if (chosen.groups.empty()) continue;
            Division taken;
            auto given = chosen.amounts.begin();
            for (const PartGroup& group : chosen.groups)
                for (const std::uint32_t part : group.parts)
                    search.emit(part_level_, parts_[part].vertex, *given++, taken);
            best_.propose(amount.units / rule_.nodes, std::move(taken.shares), chosen.groups);
        }
        for (const LabelKey& amount : open)
            if (!best_.has(amount.units / rule_.nodes))
                impossible_[amount.units / rule_.nodes] = true;
        return all_sets_ = true;
    }

    const PackedVertex& vertex_;
    const Tally& tally_;
    const Problem& problem_;
    Effort& effort_;
    SegmentRule rule_;
    std::size_t part_level_;
    std::vector<SegmentPart> parts_;        // blocks with free nodes
    std::optional<PartGrouping> grouping_;  // without spread
    BestWays best_;
    std::vector<std::uint32_t> needed_;  // base blocks at least, where these are limited
    std::vector<bool> impossible_;       // per number of segments: proven that there is no way
    bool all_sets_ = false;              // of parts were tried
    std::optional<RelaxedCosts> relaxed_;
};

}  // namespace

bool needs_packing(const Tally& tally, const Problem& problem, std::uint32_t vertex) {
    return problem.spread || usable_parts(tally, problem, vertex, problem.unit_level - 1).size() >
                                 problem.segment_rule.limit;
}

bool packs_segments(const Tally& tally, const Problem& problem) {
    if (!problem.large_segments()) return false;
    for (std::uint32_t vertex = 0; vertex < tally.vertices(problem.unit_level); ++vertex)
        if (needs_packing(tally, problem, vertex)) return true;
    return false;
}

PackedWays pack_vertex(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most,
                       Effort& effort) {
    return Packing(vertex, effort).run(least, most);
}

std::vector<PackedWay> construct_ways(const PackedVertex& vertex, std::uint32_t segments,
                                      Effort& effort) {
    return Packing(vertex, effort).only_construct(segments);
}

std::uint32_t most_packed(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                          Effort& effort) {
    const SegmentRule rule{problem.unit_nodes, problem.segment_rule.limit, problem.spread};
    const auto parts = usable_parts(tally, problem, vertex, problem.unit_level - 1);
    const std::uint32_t shared = PartGrouping(parts, rule, effort).bound();
    if (!problem.spread) return shared;
    effort.steps += std::uint64_t{4} * tally.blocks(problem.unit_level, vertex).size();
    const std::vector<std::uint32_t> needed = blocks_needed(tally, problem, vertex);
    return std::min(shared, static_cast<std::uint32_t>(needed.size() - 1));
}

}  // namespace nvl72block
