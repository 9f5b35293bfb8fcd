// SPDX-License-Identifier: GPL-2.0-or-later
//
// pack_vertex() for segments that may share base blocks: parts are the blocks of the next lower
// level.
#include <algorithm>
#include <numeric>

#include "placement/packing/part_groups.hpp"
#include "placement/packing/segment_cut.hpp"
#include "placement/packing/ways.hpp"
#include "placement/preference/taken_nodes.hpp"

namespace nvl72block {
namespace {

/// The children of a vertex that have free nodes.
std::vector<std::uint32_t> usable_children(const Tally& tally, const Problem& problem,
                                           std::uint32_t vertex) {
    std::vector<std::uint32_t> children;
    for (std::uint32_t child = tally.first_child(problem.unit_level, vertex);
         child < tally.last_child(problem.unit_level, vertex); ++child)
        if (tally.free(problem.unit_level - 1, child) > 0) children.push_back(child);
    return children;
}

std::vector<SegmentPart> offers_of(const Tally& tally, std::size_t level,
                                   const std::vector<std::uint32_t>& blocks) {
    std::vector<SegmentPart> offers;
    offers.reserve(blocks.size());
    for (const std::uint32_t block : blocks)
        offers.push_back({tally.free(level, block), tally.required(level, block)});
    return offers;
}

class SharedPacking final : public Packing {
  public:
    SharedPacking(const PackedVertex& vertex, Effort& effort)
        : Packing(vertex, vertex.lower(),
                  usable_children(vertex.tally, vertex.problem, vertex.index), effort),
          offers_(offers_of(tally_, vertex.lower(), parts_)),
          grouping_(offers_, rule_, effort) {
        const std::uint32_t first = tally_.first_child(vertex.level(), vertex.index);
        const std::uint32_t last = tally_.last_child(vertex.level(), vertex.index);
        effort_.steps += last - first;
    }

    [[nodiscard]] std::uint32_t bound() const override { return grouping_.bound(); }

  protected:
    void construct(std::uint32_t segments) override;
    bool attains(const LabelKey& amount) override;
    [[nodiscard]] SubsetRule subset_rule() const override { return {rule_, false, {}}; }
    void keep_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen) override;

  private:
    // Construction
    void propose_groups(std::uint32_t segments, const PartGroups& groups);
    void propose_fewest_blocks(std::uint32_t segments);
    [[nodiscard]] PartGroups preferred_parts(PartGroup one) const;
    [[nodiscard]] std::uint32_t score(std::uint32_t part) const;

    // Cutting
    [[nodiscard]] std::uint32_t part_of(BlockIndex block) const {
        const std::uint32_t child = tally_.topology().aggregate_of(part_level_, block);
        return static_cast<std::uint32_t>(std::lower_bound(parts_.begin(), parts_.end(), child) -
                                          parts_.begin());
    }
    void propose(std::uint32_t segments, std::vector<Share> taken, const PartGroups& groups);
    [[nodiscard]] std::vector<std::vector<Share>> cut(const std::vector<Share>& taken,
                                                      const PartGroups& groups);

    std::vector<SegmentPart> offers_;  // of the parts
    PartGrouping grouping_;
};

/// Ways by rules of thumb for the choice of the parts and of the nodes in them.
void SharedPacking::construct(std::uint32_t segments) {
    bool complete = true;
    const std::optional<PartGroups> groups = grouping_.groups_for(segments, complete);
    if (!groups) {
        impossible_[segments] = complete ? 1 : 0;
        return;
    }
    propose_groups(segments, *groups);
    if (groups->size() == 1) propose_groups(segments, preferred_parts(groups->front()));
    const std::uint32_t limit = vertex_.problem.max_base_blocks;
    if (limit == 0) return;
    propose_fewest_blocks(segments);
    if (!has(segments) && vertex_.least_blocks(segments) > limit) impossible_[segments] = 1;
}

void SharedPacking::propose_groups(std::uint32_t segments, const PartGroups& groups) {
    for (const TakeOrder order : {TakeOrder::largest, TakeOrder::broken}) {
        std::vector<Share> taken;
        for (const PartGroup& group : groups) {
            std::vector<BlockIndex> blocks;
            for (const std::uint32_t part : group.parts)
                for (BlockIndex block = tally_.first_block(vertex_.lower(), parts_[part]);
                     block < tally_.last_block(vertex_.lower(), parts_[part]); ++block)
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
        return tally_.whole(vertex_.lower(), parts_[part]) ? 0 : 1;
    std::uint32_t light = 0;
    for (BlockIndex block = tally_.first_block(vertex_.lower(), parts_[part]);
         block < tally_.last_block(vertex_.lower(), parts_[part]); ++block)
        light += tally_.class_free(block, 0);
    return light;
}

/// As many parts as one group may have, the largest ones exchanged for preferred ones as long as
/// the nodes suffice.
PartGroups SharedPacking::preferred_parts(PartGroup one) const {
    std::vector<std::uint8_t> in(parts_.size(), 0);
    std::uint64_t sum = 0;
    for (const std::uint32_t part : one.parts) {
        in[part] = 1;
        sum += offers_[part].free;
    }
    const std::uint64_t most = most_parts(rule_, one.segments);
    for (const std::uint32_t part : grouping_.largest_first()) {
        if (one.parts.size() >= most) break;
        if (in[part] != 0) continue;
        in[part] = 1;
        one.parts.push_back(part);
        sum += offers_[part].free;
    }
    std::vector<std::uint32_t> scores(parts_.size());
    for (std::uint32_t part = 0; part < parts_.size(); ++part) scores[part] = score(part);
    std::vector<std::uint32_t> outside;
    for (std::uint32_t part = 0; part < parts_.size(); ++part)
        if (in[part] == 0) outside.push_back(part);
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

/// By exactly the nodes of least cost, if segments can be cut from them.
bool SharedPacking::attains(const LabelKey& amount) {
    const std::uint32_t segments = amount.units / rule_.nodes;
    const std::vector<Share> taken = relaxed_->taken(amount);
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
    propose(segments, taken, *groups);
    return true;
}

void SharedPacking::keep_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen) {
    std::vector<Share> taken;
    PartGroups groups;
    for (const ChosenGroup& group : chosen) {
        groups.push_back(group.group);
        for (std::size_t i = 0; i < group.amounts.size(); ++i)
            relaxed_->read(vertex_.lower(), parts_[group.group.parts[i]], group.amounts[i], taken);
    }
    propose(segments, std::move(taken), groups);
}

void SharedPacking::propose(std::uint32_t segments, std::vector<Share> taken,
                            const PartGroups& groups) {
    std::sort(taken.begin(), taken.end(),
              [](const Share& a, const Share& b) { return a.block < b.block; });
    if (is_better(segments, taken)) keep(segments, taken, cut(taken, groups));
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

std::unique_ptr<Packing> shared_packing(const PackedVertex& vertex, Effort& effort) {
    return std::make_unique<SharedPacking>(vertex, effort);
}

std::uint32_t most_shared(const Tally& tally, const Problem& problem, std::uint32_t vertex,
                          Effort& effort) {
    const std::vector<SegmentPart> offers =
        offers_of(tally, problem.unit_level - 1, usable_children(tally, problem, vertex));
    return PartGrouping(offers, {problem.unit_nodes, problem.segment_rule.limit}, effort).bound();
}

}  // namespace nvl72block
