// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which parts serve segments together, when a segment may draw from at most m parts.
//
// A group of v parts serves e segments of s nodes if its nodes suffice and v <= e(m - 1) + 1
// (segment_cut.hpp). Groups with parts to spare can be joined, with each other and with any other
// group, without losing a segment. So x segments fit if and only if
//   - one group of at most x(m - 1) + 1 parts serves them: then the largest parts do; or
//   - several groups do, each with exactly e(m - 1) + 1 parts.
// For the second case give each part the lack d = s - (m - 1) * free: a group serves its segments
// if and only if its lacks add up to at most s, and v parts in c groups give (v - c) / (m - 1)
// segments. That is bin packing of the lacks into bins of size s.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/state/effort.hpp"

namespace nvl72block {

struct SegmentPart {
    std::uint32_t free = 0;
    std::uint32_t required = 0;  ///< nodes that must be taken
    std::uint32_t group = 0;     ///< with spread: the block of the next lower level; ascending
    std::uint32_t vertex = 0;    ///< which one of its level; ascending
};

struct SegmentRule {
    std::uint32_t nodes = 1;      ///< nodes per segment
    std::uint32_t max_parts = 2;  ///< parts that one segment may draw from, 2 or more
    /// Spread: a part serves one segment alone, and those of one SegmentPart::group count once
    /// against max_parts.
    bool spread = false;
};

/// Parts that serve segments together, by index.
struct PartGroup {
    std::vector<std::uint32_t> parts;
    std::uint32_t segments = 0;
};
using PartGroups = std::vector<PartGroup>;

/// Most parts that a group of so many segments can have.
[[nodiscard]] inline std::uint64_t most_parts(const SegmentRule& rule, std::uint64_t segments) {
    return segments * (rule.max_parts - 1) + 1;
}

/// The segments of a group that has as many parts as it may have; 0 if no group has so many.
[[nodiscard]] inline std::uint32_t tight_segments(const SegmentRule& rule, std::uint32_t parts) {
    const std::uint32_t more = rule.max_parts - 1;  // each segment but the first
    return parts > 1 && (parts - 1) % more == 0 ? (parts - 1) / more : 0;
}

/// The number of such groups that so many segments have together in so many parts; 0 for none.
[[nodiscard]] inline std::uint32_t tight_groups(const SegmentRule& rule, std::uint32_t segments,
                                                std::uint32_t parts) {
    const std::uint64_t without = std::uint64_t{segments} * (rule.max_parts - 1);
    return parts > without ? parts - static_cast<std::uint32_t>(without) : 0;
}

/// Groups for exactly `segments` segments with all required nodes, or nullopt where no rule of
/// thumb finds them. `largest_first`: the parts by descending free nodes.
[[nodiscard]] std::optional<PartGroups> merge_parts(const std::vector<SegmentPart>& parts,
                                                    const std::vector<std::uint32_t>& largest_first,
                                                    const SegmentRule& rule, std::uint32_t segments,
                                                    Effort& effort);

/// Spread: groups for exactly `segments` segments that hold all required nodes, each of one
/// segment, by a rule of thumb: fullest first, the last the smallest that suffices.
[[nodiscard]] std::optional<PartGroups> choose_sets(const std::vector<SegmentPart>& parts,
                                                    const SegmentRule& rule, std::uint32_t segments,
                                                    Effort& effort);

/// Without spread.
class PartGrouping {
  public:
    PartGrouping(const std::vector<SegmentPart>& parts, const SegmentRule& rule, Effort& effort);

    /// No more segments than this fit.
    [[nodiscard]] std::uint32_t bound() const { return bound_; }

    /// Parts by descending free nodes.
    [[nodiscard]] const std::vector<std::uint32_t>& largest_first() const { return order_; }

    /// Groups for exactly `segments` segments that hold all required nodes. Fewest parts first: one
    /// group if possible. With nullopt, `complete` is set to false unless there is no way.
    [[nodiscard]] std::optional<PartGroups> groups_for(std::uint32_t segments, bool& complete);

  private:
    [[nodiscard]] std::uint32_t find_bound() const;
    [[nodiscard]] bool may_fit(std::uint32_t segments) const;
    [[nodiscard]] bool lacks_fit(std::uint32_t segments) const;
    [[nodiscard]] std::optional<PartGroups> one_group(std::uint32_t segments) const;

    const std::vector<SegmentPart>& parts_;
    SegmentRule rule_;
    Effort& effort_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint64_t> largest_sum_;  // [v]: free nodes of the v largest parts
    std::uint64_t required_ = 0;
    std::uint32_t required_parts_ = 0;
    std::uint32_t bound_ = 0;
};

}  // namespace nvl72block
