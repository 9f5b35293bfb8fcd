// SPDX-License-Identifier: GPL-2.0-or-later
//
// pack_vertex() for segments that may share base blocks: parts are the blocks of the next lower
// level.
#include <algorithm>
#include <numeric>

#include "placement/packing/part_groups.hpp"
#include "placement/packing/relaxed_costs.hpp"
#include "placement/packing/segment_cut.hpp"
#include "placement/packing/subset_choice.hpp"
#include "placement/packing/ways.hpp"
#include "placement/preference/taken_nodes.hpp"

namespace nvl72block {
namespace {

class SharedPacking {
  public:
    SharedPacking(const PackedVertex& vertex, Effort& effort)
        : vertex_(vertex),
          tally_(vertex.tally),
          effort_(effort),
          rule_{vertex.problem.unit_nodes, vertex.problem.segment_rule.limit},
          collected_(vertex, effort) {
        first_ = tally_.first_child(vertex.level(), vertex.index);
        const std::uint32_t last = tally_.last_child(vertex.level(), vertex.index);
        part_of_.assign(last - first_, 0);
        for (std::uint32_t child = first_; child < last; ++child) {
            const std::uint32_t free = tally_.free(vertex.lower(), child);
            part_of_[child - first_] = static_cast<std::uint32_t>(parts_.size());
            if (free == 0) continue;
            parts_.push_back({free, tally_.required(vertex.lower(), child)});
            children_.push_back(child);
        }
        effort_.steps += part_of_.size();
    }

    PackedWays run(std::uint32_t least, std::uint32_t most);
    std::vector<PackedWay> only_construct(std::uint32_t segments);

  private:
    // Construction
    void construct(PartGrouping& grouping, std::uint32_t segments);
    void propose_groups(std::uint32_t segments, const PartGroups& groups);
    void propose_fewest_blocks(std::uint32_t segments);
    [[nodiscard]] PartGroups preferred_parts(const PartGrouping& grouping, PartGroup one) const;
    [[nodiscard]] std::uint32_t score(std::uint32_t part) const;

    // Tables
    void prove(std::uint32_t least, std::uint32_t most);
    bool cut_anyhow(std::vector<Share> taken, std::uint32_t segments);
    void try_subsets(std::uint32_t least, std::uint32_t most);
    void propose_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen);

    // Cutting
    [[nodiscard]] std::uint32_t part_of(BlockIndex block) const {
        const std::size_t lower = vertex_.lower();
        return part_of_[tally_.topology().aggregate_of(lower, block) - first_];
    }
    void propose(std::uint32_t segments, std::vector<Share> taken, const PartGroups& groups);
    [[nodiscard]] std::vector<std::vector<Share>> cut(const std::vector<Share>& taken,
                                                      const PartGroups& groups);

    /// Numbers of segments and base blocks for which the best way is not proven.
    struct Open {
        std::uint32_t segments = 0;
        std::uint32_t blocks = 0;
    };

    const PackedVertex& vertex_;
    const Tally& tally_;
    Effort& effort_;
    SegmentRule rule_;
    PackedCollector collected_;
    std::uint32_t first_ = 0;               // the first child of the vertex
    std::vector<std::uint32_t> part_of_;    // per child
    std::vector<SegmentPart> parts_;        // children with free nodes
    std::vector<std::uint32_t> children_;   // per part
    std::vector<std::uint8_t> impossible_;  // per number of segments: proven that there is no way
    std::optional<RelaxedCosts> relaxed_;
    std::vector<Open> open_;
};

PackedWays SharedPacking::run(std::uint32_t least, std::uint32_t most) {
    PartGrouping grouping(parts_, rule_, effort_);
    if (least == 0 && tally_.required(vertex_.level(), vertex_.index) == 0)
        collected_.keep(0, {}, {});
    least = std::max(least, 1U);
    most = std::min(most, grouping.bound());
    PackedWays result;
    if (least > most) {
        result.ways = std::move(collected_).ways();
        return result;
    }
    impossible_.assign(most + 1U, 0);
    for (std::uint32_t segments = least; segments <= most; ++segments)
        if (segments == least || segments == most || effort_.left() > 0)
            construct(grouping, segments);
    prove(least, most);
    if (!open_.empty()) try_subsets(least, most);
    for (std::uint32_t segments = least; segments <= most; ++segments)
        if (impossible_[segments] == 0) {
            result.exact = result.exact && relaxed_->found() && open_.empty();
            result.complete = result.complete && collected_.has(segments);
        }
    result.ways = std::move(collected_).ways();
    return result;
}

std::vector<PackedWay> SharedPacking::only_construct(std::uint32_t segments) {
    PartGrouping grouping(parts_, rule_, effort_);
    impossible_.assign(segments + 1U, 0);
    construct(grouping, segments);
    return std::move(collected_).ways();
}

/// Ways by rules of thumb for the choice of the parts and of the nodes in them.
void SharedPacking::construct(PartGrouping& grouping, std::uint32_t segments) {
    bool complete = true;
    const std::optional<PartGroups> groups = grouping.groups_for(segments, complete);
    if (!groups) {
        impossible_[segments] = complete ? 1 : 0;
        return;
    }
    propose_groups(segments, *groups);
    if (groups->size() == 1) propose_groups(segments, preferred_parts(grouping, groups->front()));
    const std::uint32_t limit = vertex_.problem.max_base_blocks;
    if (limit == 0) return;
    propose_fewest_blocks(segments);
    if (!collected_.has(segments) && vertex_.least_blocks(segments) > limit)
        impossible_[segments] = 1;
}

void SharedPacking::propose_groups(std::uint32_t segments, const PartGroups& groups) {
    for (const TakeOrder order : {TakeOrder::largest, TakeOrder::broken}) {
        std::vector<Share> taken;
        for (const PartGroup& group : groups) {
            std::vector<BlockIndex> blocks;
            for (const std::uint32_t part : group.parts)
                for (BlockIndex block = tally_.first_block(vertex_.lower(), children_[part]);
                     block < tally_.last_block(vertex_.lower(), children_[part]); ++block)
                    if (tally_.free(0, block) > 0) blocks.push_back(block);
            const std::vector<Share> more =
                take_nodes(tally_, std::move(blocks), group.segments * rule_.nodes, order, effort_);
            taken.insert(taken.end(), more.begin(), more.end());
        }
        propose(segments, std::move(taken), groups);
    }
}

/// Where one group will do: the required base blocks and the largest others, as few as suffice.
void SharedPacking::propose_fewest_blocks(std::uint32_t segments) {
    std::vector<BlockIndex> blocks;
    for (BlockIndex block = tally_.first_block(vertex_.level(), vertex_.index);
         block < tally_.last_block(vertex_.level(), vertex_.index); ++block)
        if (tally_.free(0, block) > 0) blocks.push_back(block);
    const std::vector<Share> taken =
        take_nodes(tally_, std::move(blocks), segments * rule_.nodes, TakeOrder::largest, effort_);
    PartGroup one{{}, segments};
    for (const Share& share : taken) {
        const std::uint32_t part = part_of(share.block);
        if (one.parts.empty() || one.parts.back() != part) one.parts.push_back(part);
    }
    if (one.parts.size() <= most_parts(rule_, segments)) propose(segments, taken, {std::move(one)});
}

/// How much rather than others a part serves: by its lightest nodes where weights differ, else
/// broken ones before whole ones.
std::uint32_t SharedPacking::score(std::uint32_t part) const {
    if (tally_.weight_classes().size() == 1)
        return tally_.whole(vertex_.lower(), children_[part]) ? 0 : 1;
    std::uint32_t light = 0;
    for (BlockIndex block = tally_.first_block(vertex_.lower(), children_[part]);
         block < tally_.last_block(vertex_.lower(), children_[part]); ++block)
        light += tally_.class_free(block, 0);
    return light;
}

/// As many parts as one group may have, the largest ones exchanged for preferred ones as long as
/// the nodes suffice.
PartGroups SharedPacking::preferred_parts(const PartGrouping& grouping, PartGroup one) const {
    std::vector<std::uint8_t> in(parts_.size(), 0);
    std::uint64_t sum = 0;
    for (const std::uint32_t part : one.parts) {
        in[part] = 1;
        sum += parts_[part].free;
    }
    const std::uint64_t most = most_parts(rule_, one.segments);
    for (const std::uint32_t part : grouping.largest_first()) {
        if (one.parts.size() >= most) break;
        if (in[part] != 0) continue;
        in[part] = 1;
        one.parts.push_back(part);
        sum += parts_[part].free;
    }
    std::vector<std::uint32_t> scores(parts_.size());
    for (std::uint32_t part = 0; part < parts_.size(); ++part) scores[part] = score(part);
    std::vector<std::uint32_t> outside;
    for (std::uint32_t part = 0; part < parts_.size(); ++part)
        if (in[part] == 0) outside.push_back(part);
    const auto rather = [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(scores[a], parts_[a].free) > std::pair(scores[b], parts_[b].free);
    };
    std::sort(outside.begin(), outside.end(), rather);
    std::sort(one.parts.begin(), one.parts.end(), rather);
    effort_.steps += 2 * parts_.size();
    const std::uint64_t nodes = std::uint64_t{one.segments} * rule_.nodes;
    std::size_t next = 0;
    for (std::size_t i = one.parts.size(); i-- > 0 && next < outside.size();) {
        std::uint32_t& part = one.parts[i];
        if (scores[outside[next]] <= scores[part]) break;
        if (parts_[part].required > 0 ||
            sum - parts_[part].free + parts_[outside[next]].free < nodes)
            continue;
        sum = sum - parts_[part].free + parts_[outside[next]].free;
        part = outside[next++];
    }
    return {std::move(one)};
}

/// The nodes of least cost are the best answer wherever segments can be cut from them.
void SharedPacking::prove(std::uint32_t least, std::uint32_t most) {
    RelaxedCosts& relaxed = relaxed_.emplace(vertex_, least, most, effort_);
    if (!relaxed.find()) return;
    for (std::uint32_t segments = least; segments <= most; ++segments) {
        const std::vector<LabelKey> amounts = relaxed.amounts(segments);
        for (const LabelKey& amount : amounts)
            if (!cut_anyhow(relaxed.taken(amount), segments))
                open_.push_back({segments, amount.blocks});
        if (amounts.empty()) impossible_[segments] = 1;
    }
}

/// Proposes exactly these nodes if segments can be cut from them.
bool SharedPacking::cut_anyhow(std::vector<Share> taken, std::uint32_t segments) {
    std::vector<SegmentPart> amounts;
    std::vector<std::uint32_t> part_of_amount;
    for (const Share& share : taken) {
        const std::uint32_t part = part_of(share.block);
        if (part_of_amount.empty() || part_of_amount.back() != part) {
            part_of_amount.push_back(part);
            amounts.emplace_back();
        }
        amounts.back().free += share.nodes;
        amounts.back().required += share.nodes;
    }
    std::optional<PartGroups> groups =
        PartGrouping::groups_of_amounts(amounts, rule_, segments, effort_);
    if (!groups) return false;
    for (PartGroup& group : *groups)
        for (std::uint32_t& part : group.parts) part = part_of_amount[part];
    propose(segments, std::move(taken), *groups);
    return true;
}

/// What is left open by the least costs.
void SharedPacking::try_subsets(std::uint32_t least, std::uint32_t most) {
    if (parts_.size() > SubsetChoice::most_parts_tried) return;
    std::uint32_t required = 0;
    std::vector<const LabelTable*> tables;
    for (std::uint32_t part = 0; part < parts_.size(); ++part) {
        tables.push_back(&relaxed_->part(vertex_.lower(), children_[part]));
        if (parts_[part].required > 0) required |= 1U << part;
    }
    SubsetChoice choice(vertex_, std::move(tables), {rule_, false, {}}, most, effort_);
    if (!choice.run()) return;
    for (const Open& open : open_) {
        const auto chosen = choice.cheapest(open.segments, open.blocks, required);
        if (chosen) propose_chosen(open.segments, *chosen);
    }
    open_.clear();
    for (std::uint32_t segments = least; segments <= most; ++segments)
        if (!collected_.has(segments)) impossible_[segments] = 1;
}

void SharedPacking::propose_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen) {
    std::vector<Share> taken;
    PartGroups groups;
    for (const ChosenGroup& group : chosen) {
        groups.push_back(group.group);
        for (std::size_t i = 0; i < group.amounts.size(); ++i)
            relaxed_->read(vertex_.lower(), children_[group.group.parts[i]], group.amounts[i],
                           taken);
    }
    propose(segments, std::move(taken), groups);
}

void SharedPacking::propose(std::uint32_t segments, std::vector<Share> taken,
                            const PartGroups& groups) {
    std::sort(taken.begin(), taken.end(),
              [](const Share& a, const Share& b) { return a.block < b.block; });
    if (collected_.is_better(segments, taken)) collected_.keep(segments, taken, cut(taken, groups));
}

/// Each group's nodes in segments; a part gives its base blocks to them one after another.
std::vector<std::vector<Share>> SharedPacking::cut(const std::vector<Share>& taken,
                                                   const PartGroups& groups) {
    std::vector<std::vector<Share>> given(parts_.size());
    for (const Share& share : taken) given[part_of(share.block)].push_back(share);
    std::vector<std::vector<Share>> segments;
    for (const PartGroup& group : groups) {
        std::vector<PartAmount> amounts;
        for (const std::uint32_t part : group.parts) {
            std::uint32_t nodes = 0;
            for (const Share& share : given[part]) nodes += share.nodes;
            amounts.push_back({part, nodes});
        }
        for (const std::vector<PartAmount>& segment : cut_segments(
                 std::move(amounts), group.segments, rule_.nodes, rule_.max_parts, effort_)) {
            std::vector<Share>& shares = segments.emplace_back();
            for (PartAmount amount : segment)
                while (amount.nodes > 0) {
                    Share& from = given[amount.part].back();
                    const std::uint32_t nodes = std::min(amount.nodes, from.nodes);
                    shares.push_back({from.block, nodes});
                    amount.nodes -= nodes;
                    from.nodes -= nodes;
                    if (from.nodes == 0) given[amount.part].pop_back();
                    ++effort_.steps;
                }
        }
    }
    effort_.steps += parts_.size();
    return segments;
}

}  // namespace

PackedWays pack_shared(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most,
                       Effort& effort) {
    return SharedPacking(vertex, effort).run(least, most);
}

std::vector<PackedWay> construct_shared(const PackedVertex& vertex, std::uint32_t segments,
                                        Effort& effort) {
    return SharedPacking(vertex, effort).only_construct(segments);
}

std::uint32_t most_shared(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                          Effort& effort) {
    std::vector<SegmentPart> parts;
    const std::size_t level = problem.unit_level;
    for (std::uint32_t child = tally.first_child(level, vertex);
         child < tally.last_child(level, vertex); ++child)
        if (const std::uint32_t free = tally.free(level - 1, child); free > 0)
            parts.push_back({free, tally.required(level - 1, child)});
    return PartGrouping(parts, {problem.unit_nodes, problem.segment_rule.limit}, effort).bound();
}

}  // namespace nvl72block
