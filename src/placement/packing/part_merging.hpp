// SPDX-License-Identifier: GPL-2.0-or-later
//
// A construction of part groups for many segments: quick, not exact.
//
// A segment joins at most m pieces with enough nodes and leaves one piece, what it does not take;
// in the beginning every part is a piece. What one piece was joined of is a group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "placement/packing/part_groups.hpp"

namespace nvl72block {

/// Groups for exactly `segments` segments with all required nodes, or nullopt where no rule of
/// thumb finds them. `largest_first`: the parts by descending free nodes.
[[nodiscard]] std::optional<PartGroups> merge_parts(const std::vector<SegmentPart>& parts,
                                                    const std::vector<std::uint32_t>& largest_first,
                                                    const SegmentRule& rule, std::uint32_t segments,
                                                    Effort& effort);

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
inline std::uint64_t sum_of_largest(const PiecesByFree& pieces, std::uint64_t count,
                                    Effort& effort) {
    std::uint64_t sum = 0;
    for (auto at = pieces.rbegin(); at != pieces.rend() && count > 0; ++at, --count) {
        sum += at->first;
        ++effort.steps;
    }
    return sum;
}

/// The piece to take next, where a segment lacks `lacking` nodes, 1 or more, and may take `slots`
/// more pieces; pieces.end() if none completes it.
inline PiecesByFree::iterator next_piece(const PiecesByFree& pieces, Choice choice,
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

}  // namespace nvl72block
