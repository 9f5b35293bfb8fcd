// SPDX-License-Identifier: GPL-2.0-or-later
//
// Groups of parts for spread segments: sets of base blocks, one set per segment and no base block
// in two.
#include <algorithm>
#include <utility>

#include "placement/packing/part_merging.hpp"

namespace nvl72block {
namespace {

class SetChoice {
  public:
    /// With `emptying` a segment takes all it can from one group before it turns to the next.
    SetChoice(const std::vector<SegmentPart>& blocks, const SegmentRule& rule, Choice choice,
              bool emptying, Effort& effort)
        : blocks_(blocks), rule_(rule), choice_(choice), emptying_(emptying), effort_(effort) {
        for (std::uint32_t block = 0; block < blocks.size(); ++block) {
            if (blocks[block].group >= groups_.size()) groups_.resize(blocks[block].group + 1U);
            Group& group = groups_[blocks[block].group];
            group.blocks.insert({blocks[block].free, block});
            group.free += blocks[block].free;
            if (blocks[block].required > 0) required_.insert({blocks[block].free, block});
        }
        for (std::uint32_t group = 0; group < groups_.size(); ++group)
            open_.insert({groups_[group].free, group});
        effort_.steps += 2 * blocks.size() * steps_per_insertion;
    }

    std::optional<PartGroups> run(std::uint32_t segments) {
        if (!make_segments(segments, required_, most_required,
                           [&](std::size_t required) { return choose(required); }))
            return std::nullopt;
        return std::move(sets_);
    }

  private:
    struct Group {
        std::uint32_t free = 0;
        PiecesByFree blocks;
    };

    /// A segment with so many of the blocks that hold required nodes, and others.
    bool choose(std::size_t required) {
        set_.clear();
        chosen_.clear();
        sum_ = room_ = forced_ = 0;
        for (auto at = required_.rbegin(); required > 0; ++at, --required) {
            forced_ += blocks_[at->second].required;
            const std::uint32_t group = blocks_[at->second].group;
            if (std::find(chosen_.begin(), chosen_.end(), group) == chosen_.end()) open(group);
            set_.push_back(at->second);
            sum_ += at->first;
        }
        const bool possible = forced_ <= rule_.nodes && chosen_.size() <= rule_.max_parts &&
                              open_groups() && take_blocks();
        if (possible) {
            for (const std::uint32_t block : set_) remove(block);
            sets_.push_back({set_, 1});
        }
        for (const std::uint32_t group : chosen_) open_.insert({groups_[group].free, group});
        return possible;
    }

    void open(std::uint32_t group) {
        open_.erase({groups_[group].free, group});
        chosen_.push_back(group);
        room_ += groups_[group].free;
        effort_.steps += 2 * steps_per_insertion;  // it comes back
    }

    /// Groups until the segment has room in them.
    bool open_groups() {
        while (room_ < rule_.nodes) {
            const std::size_t slots = rule_.max_parts - chosen_.size();
            const auto at = next_piece(open_, choice_, rule_, rule_.nodes - room_, slots, effort_);
            if (at == open_.end()) return false;
            open(at->second);
        }
        return true;
    }

    /// From the chosen groups the largest blocks, at last the smallest that suffices.
    bool take_blocks() {
        while (sum_ < rule_.nodes) {
            const auto lacking = static_cast<std::uint32_t>(rule_.nodes - sum_);
            std::pair<std::uint32_t, std::uint32_t> best{0, 0};
            for (const std::uint32_t group : chosen_) {
                better_block(groups_[group], lacking, best);
                if (emptying_ && best.first > 0) break;
            }
            if (best.first == 0) return false;
            set_.push_back(best.second);
            sum_ += best.first;
            forced_ += blocks_[best.second].required;
        }
        return true;
    }

    void better_block(const Group& group, std::uint32_t lacking,
                      std::pair<std::uint32_t, std::uint32_t>& best) {
        // Nor may the segment have to take more required nodes than it has nodes.
        const auto excluded = [&](const auto& entry) {
            ++effort_.steps;
            return forced_ + blocks_[entry.second].required > rule_.nodes ||
                   std::find(set_.begin(), set_.end(), entry.second) != set_.end();
        };
        for (auto at = group.blocks.lower_bound({lacking, 0}); at != group.blocks.end(); ++at)
            if (!excluded(*at)) {
                if (best.first < lacking || *at < best) best = *at;
                return;
            }
        const auto at = std::find_if_not(group.blocks.rbegin(), group.blocks.rend(), excluded);
        if (at != group.blocks.rend() && best.first < lacking && best < *at) best = *at;
    }

    void remove(std::uint32_t block) {
        Group& group = groups_[blocks_[block].group];
        group.blocks.erase({blocks_[block].free, block});
        group.free -= blocks_[block].free;
        required_.erase({blocks_[block].free, block});
        effort_.steps += 2 * steps_per_insertion;
    }

    static constexpr std::size_t most_required = 8;  // tried together in one segment

    const std::vector<SegmentPart>& blocks_;
    SegmentRule rule_;
    Choice choice_;
    bool emptying_;
    Effort& effort_;
    std::vector<Group> groups_;
    PiecesByFree open_;                  // groups that the segment does not use yet
    PiecesByFree required_;              // blocks with required nodes that are in no set yet
    std::vector<std::uint32_t> chosen_;  // groups of the segment
    std::vector<std::uint32_t> set_;     // its blocks
    PartGroups sets_;                    // of the segments before
    std::uint64_t sum_ = 0;              // their free nodes
    std::uint64_t room_ = 0;             // free nodes of its groups
    std::uint64_t forced_ = 0;           // required nodes of its blocks
};

}  // namespace

std::optional<PartGroups> choose_sets(const std::vector<SegmentPart>& blocks,
                                      const SegmentRule& rule, std::uint32_t segments,
                                      Effort& effort) {
    for (const bool emptying : {false, true})
        for (const Choice choice : {Choice::largest, Choice::smallest, Choice::balanced}) {
            if (emptying && choice != Choice::largest) continue;
            if (auto sets = SetChoice(blocks, rule, choice, emptying, effort).run(segments))
                return sets;
            if (effort.left() == 0) return std::nullopt;
        }
    return std::nullopt;
}

std::uint32_t most_sets(const std::vector<SegmentPart>& blocks, const SegmentRule& rule,
                        Effort& effort) {
    std::vector<std::uint32_t> free;
    bool single = true;  // every group is one block
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        free.push_back(std::min(blocks[i].free, rule.nodes));
        single = single && (i == 0 || blocks[i].group != blocks[i - 1].group);
    }
    std::sort(free.begin(), free.end(), std::greater<>());
    effort.steps += 2 * free.size();
    if (single && rule.max_parts == 2) return most_pairs(free, rule.nodes);
    std::vector<std::uint64_t> sum(1, 0);
    for (const std::uint32_t nodes : free) sum.push_back(sum.back() + nodes);
    std::uint64_t least = 0;  // blocks that any segment uses
    while (least < free.size() && sum[least] < rule.nodes) ++least;
    if (sum[least] < rule.nodes) return 0;
    std::uint64_t most = free.size() / least;
    const auto room = [&](std::uint64_t segments) {
        return sum[single ? std::min<std::uint64_t>(segments * rule.max_parts, free.size())
                          : free.size()];
    };
    while (most > 0 && room(most) < most * rule.nodes) --most;
    effort.steps += free.size();
    return static_cast<std::uint32_t>(most);
}

}  // namespace nvl72block
