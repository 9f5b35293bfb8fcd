// SPDX-License-Identifier: GPL-2.0-or-later
//
// Part groups by rules of thumb: quick, not exact.
#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "placement/packing/part_groups.hpp"

namespace nvl72block {
namespace {

/// How the pieces of a segment are chosen; the last one is the smallest that suffices.
enum class Choice {
    largest,   ///< the others are the largest
    smallest,  ///< each is the smallest that the largest can still complete
    balanced,  ///< the first is the largest, of the others each gives its share of what lacks
};

/// Pieces by free nodes: (free nodes, piece).
using PiecesByFree = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Makes segments one after another, first of what holds required nodes, as much of it together as
/// one segment may hold: make(count) tries to make one of so many of `required`, and of other
/// pieces. Whether all were made, and nothing is left in `required`.
template <typename Make>
[[nodiscard]] bool make_segments(std::uint32_t segments, const PiecesByFree& required,
                                 std::size_t most_together, Make make) {
    for (; segments > 0; --segments) {
        std::size_t together = std::min(required.size(), most_together);
        while (!make(together))
            if (together-- <= 1) return false;
    }
    return required.empty();
}

/// Nodes of so many of the largest pieces.
std::uint64_t sum_of_largest(const PiecesByFree& pieces, std::uint64_t count, Effort& effort) {
    std::uint64_t sum = 0;
    for (auto at = pieces.rbegin(); at != pieces.rend() && count > 0; ++at, --count) {
        sum += at->first;
        ++effort.steps;
    }
    return sum;
}

/// The piece to take next, where a segment lacks `lacking` nodes, 1 or more, and may take `slots`
/// more pieces; pieces.end() if none completes it.
PiecesByFree::iterator next_piece(const PiecesByFree& pieces, Choice choice,
                                  const SegmentRule& rule, std::uint64_t lacking,
                                  std::uint64_t slots, Effort& effort) {
    if (slots == 0 || pieces.empty()) return pieces.end();
    std::uint64_t least = lacking;
    if (choice == Choice::smallest) {
        const std::uint64_t others = sum_of_largest(pieces, slots - 1, effort);
        least = lacking > others ? lacking - others : 1;
    } else if (choice == Choice::balanced && slots < rule.max_parts) {
        least = (lacking + slots - 1) / slots;
    }
    const auto at = pieces.lower_bound({static_cast<std::uint32_t>(least), 0});
    return at == pieces.end() && slots > 1 ? std::prev(at) : at;
}

/// A segment joins at most m pieces with enough nodes and leaves one piece, what it does not take;
/// in the beginning every part is a piece. What one piece was joined of is a group.
class Merging {
  public:
    Merging(const std::vector<SegmentPart>& parts, const SegmentRule& rule, Choice choice,
            Effort& effort)
        : parts_(parts), rule_(rule), choice_(choice), effort_(effort) {}

    void add(std::uint32_t part) { insert({parts_[part].free, parts_[part].required, 0, {part}}); }

    std::optional<PartGroups> run(std::uint32_t segments) {
        if (!make_segments(segments, required_, rule_.max_parts,
                           [&](std::size_t required) { return join(required); }))
            return std::nullopt;
        PartGroups groups;
        for (Piece& piece : pieces_)
            if (piece.segments > 0) groups.push_back({std::move(piece.parts), piece.segments});
        return groups;
    }

  private:
    struct Piece {
        std::uint32_t free = 0;
        std::uint32_t required = 0;
        std::uint32_t segments = 0;
        std::vector<std::uint32_t> parts;  // empty: joined into another piece
    };

    void insert(Piece piece) {
        const auto id = static_cast<std::uint32_t>(pieces_.size());
        PiecesByFree& set = piece.required > 0 ? required_ : open_;
        set.insert({piece.free, id});
        pieces_.push_back(std::move(piece));
        effort_.steps += steps_per_insertion;
    }

    void choose(PiecesByFree& set, PiecesByFree::iterator at) {
        chosen_.push_back(at->second);
        sum_ += at->first;
        set.erase(at);
        effort_.steps += steps_per_insertion;
    }

    void give_back() {
        for (const std::uint32_t id : chosen_)
            (pieces_[id].required > 0 ? required_ : open_).insert({pieces_[id].free, id});
        chosen_.clear();
        sum_ = 0;
    }

    /// A segment from so many of the pieces with required nodes, and from others.
    bool join(std::size_t required) {
        std::uint64_t forced = 0;
        for (std::size_t i = 0; i < required; ++i) {
            forced += pieces_[std::prev(required_.end())->second].required;
            choose(required_, std::prev(required_.end()));
        }
        if ((required > 1 && forced > rule_.nodes) || !complete()) {
            give_back();
            return false;
        }
        merge();
        return true;
    }

    bool complete() {
        while (sum_ < rule_.nodes) {
            const auto slots = rule_.max_parts - static_cast<std::uint32_t>(chosen_.size());
            const auto at = next_piece(open_, choice_, rule_, rule_.nodes - sum_, slots, effort_);
            if (at == open_.end()) return false;
            choose(open_, at);
        }
        return true;
    }

    void merge() {
        Piece joined{static_cast<std::uint32_t>(sum_ - rule_.nodes), 0, 1, {}};
        std::uint64_t required = 0;
        for (const std::uint32_t id : chosen_) {
            Piece& piece = pieces_[id];
            required += piece.required;
            joined.segments += piece.segments;
            if (piece.parts.size() > joined.parts.size()) std::swap(piece.parts, joined.parts);
            joined.parts.insert(joined.parts.end(), piece.parts.begin(), piece.parts.end());
            effort_.steps += piece.parts.size();
            piece = Piece{};
        }
        joined.required =
            static_cast<std::uint32_t>(required > rule_.nodes ? required - rule_.nodes : 0);
        chosen_.clear();
        sum_ = 0;
        insert(std::move(joined));
    }

    const std::vector<SegmentPart>& parts_;
    SegmentRule rule_;
    Choice choice_;
    Effort& effort_;
    std::vector<Piece> pieces_;
    PiecesByFree open_, required_;  // pieces without and with nodes that must still be taken
    std::vector<std::uint32_t> chosen_;
    std::uint64_t sum_ = 0;
};

/// Spread segments: sets of base blocks, one set per segment and no base block in two.
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

std::optional<PartGroups> merge_parts(const std::vector<SegmentPart>& parts,
                                      const std::vector<std::uint32_t>& largest_first,
                                      const SegmentRule& rule, std::uint32_t segments,
                                      Effort& effort) {
    for (const Choice choice : {Choice::largest, Choice::smallest, Choice::balanced}) {
        Merging merging(parts, rule, choice, effort);
        std::uint64_t left = std::uint64_t{segments} * rule.max_parts;
        for (const std::uint32_t part : largest_first) {
            if (parts[part].required == 0 && left == 0) continue;
            merging.add(part);
            if (left > 0) --left;
        }
        if (auto groups = merging.run(segments)) return groups;
        if (effort.left() == 0) break;
    }
    return std::nullopt;
}

std::optional<PartGroups> choose_sets(const std::vector<SegmentPart>& blocks,
                                      const SegmentRule& rule, std::uint32_t segments,
                                      Effort& effort) {
    using Way = std::pair<Choice, bool>;  // and whether groups are emptied
    for (const auto& [choice, emptying] :
         {Way{Choice::largest, false}, Way{Choice::smallest, false}, Way{Choice::balanced, false},
          Way{Choice::largest, true}}) {
        if (auto sets = SetChoice(blocks, rule, choice, emptying, effort).run(segments))
            return sets;
        if (effort.left() == 0) break;
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
