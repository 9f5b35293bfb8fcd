// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/part_merging.hpp"

#include <algorithm>
#include <utility>

namespace nvl72block {
namespace {

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

}  // namespace nvl72block
