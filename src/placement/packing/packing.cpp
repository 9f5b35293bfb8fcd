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
std::vector<std::uint32_t> usable_parts(const Tally& tally, const Problem& problem,
                                        std::uint32_t vertex, std::size_t level) {
    std::vector<std::uint32_t> parts;
    for (const std::uint32_t part : tally.below(problem.unit_level, vertex, level))
        if (tally.free(level, part) > 0) parts.push_back(part);
    return parts;
}

std::vector<SegmentPart> offers_of(const Tally& tally, const Problem& problem, std::size_t level,
                                   const std::vector<std::uint32_t>& parts) {
    std::vector<SegmentPart> offers;
    offers.reserve(parts.size());
    const auto above = [&](std::uint32_t part) {
        return part >> tally.topology().exponent_between(level, problem.unit_level - 1);
    };
    for (const std::uint32_t part : parts)
        offers.push_back({tally.free(level, part), tally.required(level, part),
                          above(part) - above(parts.front())});
    return offers;
}

/// The least cost of as many nodes as some segments have, as if segments could be cut anyhow: a
/// lower bound on the cost of every way to give these segments. These are the tables of the exact
/// search for a plain job in the vertex.
class RelaxedCosts {
  public:
    /// For `least` to `most` segments. The costs of base blocks are known at once.
    RelaxedCosts(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most,
                 Effort& effort)
        : vertex_(vertex),
          nodes_(plain_job(vertex, least, most)),
          tree_(vertex.tally(), nodes_, {vertex.index, vertex.index + 1},
                most * vertex.problem.segment_rule.limit),
          search_(vertex.layout, tree_, {}, effort),
          effort_(effort) {}

    /// Makes the tables of all amounts, if there are enough steps and room.
    void find() {
        const std::uint64_t steps_per_sum = 1 + vertex_.layout.words() / 4;
        if (tree_.work() * steps_per_sum > effort_.left()) return;
        if (search_.prices().possible()) search_.fill();
        found_ = !search_.ended();
    }
    /// Whether find() has made them.
    [[nodiscard]] bool found() const { return found_; }
    /// The tables, and the nodes of each of their labels.
    [[nodiscard]] const TreeSearch& search() const { return search_; }
    /// By nodes, and base blocks (0 where these are not limited): what these cost in the vertex,
    /// its own cost included. None of an amount that is impossible.
    [[nodiscard]] const LabelTable& table() const {
        return search_.table(vertex_.level(), vertex_.index);
    }

  private:
    static Problem plain_job(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most) {
        Problem job;
        job.nodes = least * vertex.problem.unit_nodes;
        job.units = most * vertex.problem.unit_nodes;
        job.scope_level = vertex.level();
        job.max_base_blocks = vertex.problem.max_base_blocks;
        return job;
    }

    const PackedVertex& vertex_;
    const Problem nodes_;  // a plain job in the vertex
    const ShapeTree tree_;
    TreeSearch search_;
    Effort& effort_;
    bool found_ = false;
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
          part_level_(problem_.spread ? 0 : vertex.lower()),
          parts_(usable_parts(tally_, problem_, vertex.index, part_level_)),
          offers_(offers_of(tally_, problem_, part_level_, parts_)),
          best_(vertex, rule_, part_level_, parts_, effort) {
        effort_.steps += parts_.size();
        if (!problem_.spread) grouping_.emplace(offers_, rule_, effort_);
    }

    /// As pack_vertex() has it.
    PackedWays run(std::uint32_t least, std::uint32_t most) {
        const std::uint32_t required = tally_.required(vertex_.level(), vertex_.index);
        if (least == 0 && required == 0) best_.propose(0, {}, {});
        least = std::max({least, 1U, (required + rule_.nodes - 1) / rule_.nodes});
        most = std::min(most, grouping_ ? grouping_->bound()
                                        : most_packed(tally_, problem_, vertex_.index, effort_));
        PackedWays result;
        if (least <= most) {
            impossible_.assign(most + 1U, 0);
            for (std::uint32_t segments = least; segments <= most; ++segments)
                if (segments == least || segments == most || effort_.left() > 0)
                    construct(segments);
            result.exact = prove(least, most);
            for (std::uint32_t segments = least; segments <= most; ++segments)
                result.complete =
                    result.complete && (impossible_[segments] != 0 || best_.has(segments));
        }
        result.ways = best_.take();
        return result;
    }

    /// As construct_ways() has it.
    std::vector<PackedWay> only_construct(std::uint32_t segments) {
        impossible_.assign(segments + 1U, 0);
        construct(segments);
        return best_.take();
    }

  private:
    // ---- construction --------------------------------------------------------------------------

    /// Ways by rules of thumb for the choice of the parts and of the nodes in them.
    void construct(std::uint32_t segments) {
        const std::uint32_t limit = problem_.max_base_blocks;
        if (limit != 0) {
            if (needed_.empty()) needed_ = blocks_needed(tally_, problem_, vertex_.index);
            impossible_[segments] = segments >= needed_.size() || needed_[segments] > limit ? 1 : 0;
            if (impossible_[segments] != 0) return;
        }
        bool complete = true;
        const std::optional<PartGroups> groups = groups_for(segments, complete);
        if (!groups) {
            impossible_[segments] = complete ? 1 : 0;
            return;
        }
        propose_groups(segments, *groups);
        if (problem_.spread) return;
        if (groups->size() == 1) propose_groups(segments, preferred_parts(groups->front()));
    }

    [[nodiscard]] std::optional<PartGroups> groups_for(std::uint32_t segments, bool& complete) {
        if (grouping_) return grouping_->groups_for(segments, complete);
        complete = false;
        return choose_sets(offers_, rule_, segments, effort_);
    }

    void propose_groups(std::uint32_t segments, const PartGroups& groups) {
        for (const TakeOrder order : {TakeOrder::largest, TakeOrder::broken}) {
            std::vector<Share> taken;
            for (const PartGroup& group : groups) {
                std::vector<BlockIndex> blocks;
                for (const std::uint32_t part : group.parts)
                    for (const BlockIndex block : tally_.blocks(part_level_, parts_[part]))
                        if (tally_.free(0, block) > 0) blocks.push_back(block);
                const std::vector<Share> more = take_nodes(
                    tally_, std::move(blocks), group.segments * rule_.nodes, order, effort_);
                taken.insert(taken.end(), more.begin(), more.end());
            }
            best_.propose(segments, std::move(taken), groups);
        }
    }

    /// How much rather than others a part serves: by its lightest nodes where weights differ, else
    /// broken ones before whole ones.
    [[nodiscard]] std::uint32_t score(std::uint32_t part) const {
        if (tally_.weight_classes().size() > 1) return tally_.lightest(part_level_, parts_[part]);
        return tally_.whole(part_level_, parts_[part]) ? 0 : 1;
    }

    /// As many parts as one group may have, the largest ones exchanged for preferred ones as long
    /// as the nodes suffice.
    [[nodiscard]] PartGroups preferred_parts(PartGroup one) const {
        std::vector<std::uint8_t> in(parts_.size(), 0);
        std::uint64_t sum = 0;
        for (const std::uint32_t part : one.parts) {
            in[part] = 1;
            sum += offers_[part].free;
        }
        const std::uint64_t most = most_parts(rule_, one.segments);
        for (const std::uint32_t part : grouping_->largest_first()) {
            if (one.parts.size() >= most) break;
            if (in[part] != 0) continue;
            in[part] = 1;
            one.parts.push_back(part);
            sum += offers_[part].free;
        }
        std::vector<std::uint32_t> scores(parts_.size());
        std::vector<std::uint32_t> outside;
        for (std::uint32_t part = 0; part < parts_.size(); ++part) {
            scores[part] = score(part);
            if (in[part] == 0) outside.push_back(part);
        }
        const auto rather = [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(scores[a], offers_[a].free) > std::pair(scores[b], offers_[b].free);
        };
        std::sort(outside.begin(), outside.end(), rather);
        std::sort(one.parts.begin(), one.parts.end(), rather);
        effort_.steps += 2 * parts_.size();
        const std::uint64_t nodes = std::uint64_t{one.segments} * rule_.nodes;
        std::size_t next = 0;
        for (std::size_t i = one.parts.size(); i-- > 0 && next < outside.size();) {
            std::uint32_t& part = one.parts[i];
            if (scores[outside[next]] <= scores[part]) break;
            if (offers_[part].required > 0 ||
                sum - offers_[part].free + offers_[outside[next]].free < nodes)
                continue;
            sum = sum - offers_[part].free + offers_[outside[next]].free;
            part = outside[next++];
        }
        return {std::move(one)};
    }

    // ---- proof ---------------------------------------------------------------------------------

    /// The nodes of least cost are the best answer wherever segments can be cut from them; what
    /// that leaves open all subsets of the parts decide, if these are few. Spread segments mostly
    /// miss the least cost: then subsets come first.
    [[nodiscard]] bool prove(std::uint32_t least, std::uint32_t most) {
        relaxed_.emplace(vertex_, least, most, effort_);
        // Where there are levels between the parts and the vertex, parts do not add up to its cost.
        const bool costs_add_up = part_level_ == vertex_.lower();
        if (problem_.spread && try_subsets(open_amounts(least, most), most) && costs_add_up)
            return true;
        relaxed_->find();
        const std::vector<LabelKey> open = open_amounts(least, most);
        return open.empty() || (!problem_.spread && try_subsets(open, most));
    }

    /// The amounts that may have a better way than the best known.
    [[nodiscard]] std::vector<LabelKey> open_amounts(std::uint32_t least, std::uint32_t most) {
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

    /// The amounts of nodes that so many segments may have; where no tables tell, by every number
    /// of base blocks.
    [[nodiscard]] std::vector<LabelKey> amounts(std::uint32_t segments) const {
        const std::uint32_t nodes = segments * rule_.nodes;
        std::vector<LabelKey> amounts;
        if (!relaxed_->found()) {
            for (std::uint32_t blocks = 0; blocks <= problem_.max_base_blocks; ++blocks)
                amounts.push_back({nodes, 0, blocks});
            return amounts;
        }
        const auto [begin, end] = relaxed_->table().with_units(nodes, nodes);
        for (std::size_t i = begin; i < end; ++i) amounts.push_back(relaxed_->table().key(i));
        return amounts;
    }

    /// Whether the least cost of an amount is met by what is kept or, without spread, by exactly
    /// the nodes of that cost: if segments can be cut from them.
    [[nodiscard]] bool attains(const LabelKey& amount) {
        const std::uint32_t segments = amount.units / rule_.nodes;
        const LabelTable& least = relaxed_->table();
        if (problem_.spread)
            return best_.cost(segments, amount.blocks) == least.copy_of_cost(least.find(amount));
        Division taken;
        relaxed_->search().emit(vertex_.level(), vertex_.index, amount, taken);
        std::vector<SegmentPart> amounts;
        std::vector<std::uint32_t> part_of_amount;
        const unsigned exponent = tally_.topology().exponent_between(0, part_level_);
        for (const Share& share : joined(taken.shares, exponent)) {
            part_of_amount.push_back(best_.position_of(share.block));
            amounts.push_back({share.nodes, share.nodes});
        }
        bool complete = true;
        std::optional<PartGroups> groups =
            PartGrouping(amounts, rule_, effort_).groups_for(segments, complete);
        if (!groups) return false;
        for (PartGroup& group : *groups)
            for (std::uint32_t& part : group.parts) part = part_of_amount[part];
        best_.propose(segments, std::move(taken.shares), *groups);
        return true;
    }

    /// False when the parts are too many.
    [[nodiscard]] bool try_subsets(const std::vector<LabelKey>& open, std::uint32_t most) {
        if (part_level_ > 0 && !relaxed_->found()) return false;
        std::vector<const LabelTable*> tables;
        for (const std::uint32_t part : parts_)
            tables.push_back(part_level_ == 0 ? &relaxed_->search().costs_of(part)
                                              : &relaxed_->search().table(part_level_, part));
        SubsetChoice choice(vertex_, std::move(tables), offers_, rule_, most, effort_);
        if (!choice.run()) return false;
        for (const LabelKey& amount : open)
            propose_chosen(amount.units / rule_.nodes, choice.cheapest(amount));
        for (const LabelKey& amount : open)
            if (!best_.has(amount.units / rule_.nodes)) impossible_[amount.units / rule_.nodes] = 1;
        return true;
    }

    void propose_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen) {
        if (chosen.empty()) return;
        Division taken;
        PartGroups groups;
        for (const ChosenGroup& group : chosen) {
            groups.push_back(group.group);
            for (std::size_t i = 0; i < group.amounts.size(); ++i)
                relaxed_->search().emit(part_level_, parts_[group.group.parts[i]], group.amounts[i],
                                        taken);
        }
        best_.propose(segments, std::move(taken.shares), groups);
    }

    const PackedVertex& vertex_;
    const Tally& tally_;
    const Problem& problem_;
    Effort& effort_;
    SegmentRule rule_;
    std::size_t part_level_;
    std::vector<std::uint32_t> parts_;      // blocks with free nodes
    std::vector<SegmentPart> offers_;       // of the parts
    std::optional<PartGrouping> grouping_;  // without spread
    BestWays best_;
    std::vector<std::uint32_t> needed_;     // base blocks at least, where these are limited
    std::vector<std::uint8_t> impossible_;  // per number of segments: proven that there is no way
    std::optional<RelaxedCosts> relaxed_;
};

}  // namespace

// ---- for the searches --------------------------------------------------------------------------

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
    const auto offers = [&](std::size_t level) {
        return offers_of(tally, problem, level, usable_parts(tally, problem, vertex, level));
    };
    const std::uint32_t shared = PartGrouping(offers(problem.unit_level - 1), rule, effort).bound();
    return problem.spread ? std::min(shared, most_sets(offers(0), rule, effort)) : shared;
}

}  // namespace nvl72block
