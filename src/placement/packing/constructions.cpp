// SPDX-License-Identifier: GPL-2.0-or-later
//
// Part groups by rules of thumb: quick, not exact.
#include <algorithm>
#include <deque>
#include <iterator>
#include <memory_resource>
#include <set>
#include <utility>
#include <vector>

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
using PiecesByFree = std::pmr::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Segments that are made of pieces, one after another.
class Construction {
  protected:
    Construction(const SegmentRule& rule, Choice choice, std::uint64_t steps_per_piece,
                 Effort& effort)
        : rule_(rule), choice_(choice), steps_per_piece_(steps_per_piece), effort_(effort) {}
    ~Construction() = default;

    /// Makes segments, first of what holds required nodes, as much of it together as one segment
    /// may hold. Whether all were made, and nothing is left in `required_`.
    [[nodiscard]] bool make_segments(std::uint32_t segments, std::size_t most_together) {
        for (; segments > 0; --segments) {
            std::size_t together = std::min(required_.size(), most_together);
            while (!make(together)) {
                if (together <= 1) return false;
                together = std::clamp<std::size_t>(fits_, 1, together - 1);
            }
        }
        return required_.empty();
    }

    void choose(PiecesByFree& from, PiecesByFree::iterator at) {
        chosen_.push_back(at->second);
        held_ += at->first;
        from.erase(at);
        effort_.steps += steps_per_piece_;
    }

    /// Chooses open pieces until the segment's nodes are free in those chosen.
    bool complete() {
        while (held_ < rule_.nodes) {
            const auto at = next_piece(rule_.nodes - held_, rule_.max_parts - chosen_.size());
            if (at == open_.end()) return false;
            choose(open_, at);
        }
        return true;
    }

    SegmentRule rule_;
    Choice choice_;
    std::uint64_t steps_per_piece_;
    Effort& effort_;
    std::pmr::monotonic_buffer_resource room_;      // of all pieces
    PiecesByFree open_{&room_}, required_{&room_};  // without and with nodes that must be taken
    std::vector<std::uint32_t> chosen_;
    std::uint64_t held_ = 0;  // free nodes of the chosen pieces
    std::size_t fits_ = 0;    // of `required_` in one segment, as make() found

  private:
    /// Tries to make a segment of so many of `required_`, the largest, and of other pieces. Notes
    /// how many of them one may hold, in `fits_`.
    virtual bool make(std::size_t required) = 0;

    /// The piece to choose next, where a segment lacks `lacking` nodes, 1 or more, and may have
    /// `slots` more pieces; open_.end() if none completes it.
    [[nodiscard]] PiecesByFree::iterator next_piece(std::uint64_t lacking,
                                                    std::uint64_t slots) const {
        if (slots == 0 || open_.empty()) return open_.end();
        std::uint64_t least = lacking;
        if (choice_ == Choice::smallest) {
            std::uint64_t others = 0;  // nodes of the largest pieces, one fewer than slots
            auto at = open_.rbegin();
            for (std::uint64_t left = slots; left > 1 && at != open_.rend(); --left, ++at) {
                others += at->first;
                ++effort_.steps;
            }
            least = lacking > others ? lacking - others : 1;
        } else if (choice_ == Choice::balanced && slots < rule_.max_parts) {
            least = (lacking + slots - 1) / slots;
        }
        const auto at = open_.lower_bound({static_cast<std::uint32_t>(least), 0});
        return at == open_.end() && slots > 1 ? std::prev(at) : at;
    }
};

/// A segment joins at most m pieces with enough nodes and leaves one piece, what it does not take;
/// in the beginning every part is a piece. What one piece was joined of is a group.
class Merging : Construction {
  public:
    Merging(const std::vector<SegmentPart>& parts, const SegmentRule& rule, Choice choice,
            Effort& effort)
        : Construction(rule, choice, steps_per_insertion, effort), parts_(parts) {}

    void add(std::uint32_t part) {
        insert({parts_[part].free, parts_[part].required, 0, Parts(1, part, &room_)});
    }

    std::optional<PartGroups> run(std::uint32_t segments) {
        if (!make_segments(segments, rule_.max_parts)) return std::nullopt;
        PartGroups groups;
        for (const Piece& piece : pieces_)
            if (piece.segments > 0)
                groups.push_back({{piece.parts.begin(), piece.parts.end()}, piece.segments});
        return groups;
    }

  private:
    using Parts = std::pmr::vector<std::uint32_t>;
    struct Piece {
        std::uint32_t free = 0;
        std::uint32_t required = 0;
        std::uint32_t segments = 0;
        Parts parts;  // empty: joined into another piece
    };

    void offer(std::uint32_t id) {
        (pieces_[id].required > 0 ? required_ : open_).insert({pieces_[id].free, id});
    }

    void insert(Piece piece) {
        pieces_.push_back(std::move(piece));
        offer(static_cast<std::uint32_t>(pieces_.size() - 1));
        effort_.steps += steps_per_insertion;
    }

    /// Joins pieces.
    bool make(std::size_t required) override {
        std::uint64_t forced = 0;
        for (fits_ = 0; fits_ < required; ++fits_) {
            const auto largest = std::prev(required_.end());
            forced += pieces_[largest->second].required;
            if (fits_ > 0 && forced > rule_.nodes) break;
            choose(required_, largest);
        }
        const bool possible = fits_ == required && complete();
        if (possible)
            merge();
        else
            for (const std::uint32_t id : chosen_) offer(id);
        chosen_.clear();
        held_ = 0;
        return possible;
    }

    void merge() {
        Piece joined{static_cast<std::uint32_t>(held_ - rule_.nodes), 0, 1, Parts(&room_)};
        std::uint64_t required = 0;
        for (const std::uint32_t id : chosen_) {
            Piece& piece = pieces_[id];
            required += piece.required;
            joined.segments += piece.segments;
            if (piece.parts.size() > joined.parts.size()) std::swap(piece.parts, joined.parts);
            joined.parts.insert(joined.parts.end(), piece.parts.begin(), piece.parts.end());
            effort_.steps += piece.parts.size();
            piece = {};
        }
        joined.required =
            static_cast<std::uint32_t>(required > rule_.nodes ? required - rule_.nodes : 0);
        insert(std::move(joined));
    }

    const std::vector<SegmentPart>& parts_;
    std::vector<Piece> pieces_;
};

/// Spread segments: sets of base blocks, one set per segment and no base block in two. The pieces
/// that a segment chooses are groups, of which it then takes blocks.
class SetChoice : Construction {
  public:
    SetChoice(const std::vector<SegmentPart>& blocks, const SegmentRule& rule, Choice choice,
              Effort& effort)
        : Construction(rule, choice, 2 * steps_per_insertion, effort), blocks_(blocks) {
        for (std::uint32_t block = 0; block < blocks.size(); ++block) {
            while (blocks[block].group >= groups_.size()) groups_.emplace_back(&room_);
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
        if (!make_segments(segments, most_required)) return std::nullopt;
        return std::move(sets_);
    }

  private:
    struct Group {
        explicit Group(std::pmr::memory_resource* room) : blocks(room) {}
        std::uint32_t free = 0;
        PiecesByFree blocks;
    };

    /// From so many of the blocks that hold required nodes, and others.
    bool make(std::size_t required) override {
        set_.clear();
        chosen_.clear();
        taken_ = held_ = forced_ = 0;
        fits_ = 0;
        for (auto at = required_.rbegin(); fits_ < required; ++at, ++fits_) {
            if (forced_ + blocks_[at->second].required > rule_.nodes) break;
            const std::uint32_t group = blocks_[at->second].group;
            if (std::find(chosen_.begin(), chosen_.end(), group) == chosen_.end()) {
                if (chosen_.size() == rule_.max_parts) break;
                choose(open_, open_.find({groups_[group].free, group}));
            }
            take(at->second);
        }
        const bool possible = fits_ == required && complete() && take_blocks();
        if (possible) {
            for (const std::uint32_t block : set_) remove(block);
            sets_.push_back({set_, 1});
        }
        for (const std::uint32_t group : chosen_) open_.insert({groups_[group].free, group});
        return possible;
    }

    void take(std::uint32_t block) {
        set_.push_back(block);
        taken_ += blocks_[block].free;
        forced_ += blocks_[block].required;
    }

    /// From the chosen groups the largest blocks, at last the smallest that suffices.
    bool take_blocks() {
        while (taken_ < rule_.nodes) {
            const auto lacking = static_cast<std::uint32_t>(rule_.nodes - taken_);
            std::pair<std::uint32_t, std::uint32_t> best{0, 0};
            for (const std::uint32_t group : chosen_) better_block(groups_[group], lacking, best);
            if (best.first == 0) return false;
            take(best.second);
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
        const auto at =
            std::find_if_not(group.blocks.lower_bound({lacking, 0}), group.blocks.end(), excluded);
        if (at != group.blocks.end()) {
            if (best.first < lacking || *at < best) best = *at;
            return;
        }
        const auto below = std::find_if_not(group.blocks.rbegin(), group.blocks.rend(), excluded);
        if (below != group.blocks.rend() && best.first < lacking && best < *below) best = *below;
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
    std::deque<Group> groups_;
    std::vector<std::uint32_t> set_;  // blocks of the segment
    PartGroups sets_;                 // of the segments before
    std::uint64_t taken_ = 0;         // free nodes of its blocks
    std::uint64_t forced_ = 0;        // required nodes of its blocks
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
    for (const Choice choice : {Choice::largest, Choice::smallest, Choice::balanced}) {
        if (auto sets = SetChoice(blocks, rule, choice, effort).run(segments)) return sets;
        if (effort.left() == 0) break;
    }
    return std::nullopt;
}

}  // namespace nvl72block
