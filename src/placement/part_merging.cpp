// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/part_merging.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace nvl72block {
namespace {

/// How the pieces of a segment are chosen; the last one is the smallest that suffices.
enum class Choice {
    largest,   ///< the others are the largest
    smallest,  ///< each is the smallest that the largest can still complete
    balanced,  ///< the first is the largest, of the others each gives its share of what lacks
};

class Merging {
  public:
    Merging(const std::vector<SegmentPart>& parts, const SegmentRule& rule, Choice choice,
            Effort& effort)
        : parts_(parts), rule_(rule), choice_(choice), effort_(effort) {}

    void add(std::uint32_t part) { insert({parts_[part].free, parts_[part].required, 0, {part}}); }

    std::optional<PartGroups> run(std::uint32_t segments) {
        for (std::uint32_t made = 0; made < segments; ++made)
            if (!(required_.empty() ? join(0) : join_required())) return std::nullopt;
        if (!required_.empty()) return std::nullopt;
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
    using Set = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // free nodes, piece

    void insert(Piece piece) {
        const auto id = static_cast<std::uint32_t>(pieces_.size());
        Set& set = piece.required > 0 ? required_ : open_;
        set.insert({piece.free, id});
        pieces_.push_back(std::move(piece));
        effort_.steps += steps_per_insertion;
    }

    void choose(Set& set, Set::iterator at) {
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

    /// A segment from pieces with required nodes, as many as one segment can hold.
    bool join_required() {
        for (std::uint32_t count = rule_.max_parts; count > 0; --count)
            if (count <= required_.size() && join(count)) return true;
        return false;
    }

    /// A segment from so many of the pieces with required nodes, and from others.
    bool join(std::uint32_t required) {
        std::uint64_t forced = 0;
        for (std::uint32_t i = 0; i < required; ++i) {
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
            if (slots == 0 || open_.empty()) return false;
            auto at = open_.lower_bound({least_of_next(slots), 0});
            if (at == open_.end()) {
                if (slots == 1) return false;
                at = std::prev(open_.end());
            }
            choose(open_, at);
        }
        return true;
    }

    /// The least that the next one must have, with so many still to come.
    std::uint32_t least_of_next(std::uint64_t slots) {
        const std::uint64_t lacking = rule_.nodes - sum_;
        std::uint64_t least = lacking;
        if (choice_ == Choice::smallest) {
            const std::uint64_t others = largest(slots - 1);
            least = lacking > others ? lacking - others : 1;
        } else if (choice_ == Choice::balanced && slots < rule_.max_parts) {
            least = (lacking + slots - 1) / slots;
        }
        return static_cast<std::uint32_t>(least);
    }

    /// Nodes of so many of the largest open pieces.
    std::uint64_t largest(std::uint64_t count) {
        std::uint64_t sum = 0;
        for (auto at = open_.rbegin(); at != open_.rend() && count > 0; ++at, --count) {
            sum += at->first;
            ++effort_.steps;
        }
        return sum;
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
    Set open_, required_;  // pieces without and with nodes that must still be taken
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
        if (effort.exhausted()) break;
    }
    return std::nullopt;
}

}  // namespace nvl72block
