// SPDX-License-Identifier: GPL-2.0-or-later
//
// Part groups by all subsets of few parts: exact, and exponential in the number of parts.
#pragma once

#include <optional>

#include "placement/part_groups.hpp"

namespace nvl72block {

struct SubsetAnswer {
    std::optional<PartGroups> groups;  ///< none: there are none
};

/// Several groups for exactly `segments` segments with all required nodes, each with as many parts
/// as it may have; what one group can do is not looked at. nullopt where that takes more steps than
/// are left.
[[nodiscard]] std::optional<SubsetAnswer> group_subsets(const std::vector<SegmentPart>& parts,
                                                        const SegmentRule& rule,
                                                        std::uint32_t segments, Effort& effort);

/// The subsets of `set` that hold its lowest part, `set` itself first.
template <typename Visit>
void for_each_subset_with_lowest(std::uint32_t set, Visit visit) {
    const std::uint32_t lowest = set & (~set + 1);
    const std::uint32_t others = set ^ lowest;
    std::uint32_t subset = others;
    for (;;) {
        if (!visit(subset | lowest)) return;
        if (subset == 0) return;
        subset = (subset - 1) & others;
    }
}

/// Steps to look at every subset of every set of so many parts; as good as none where that is not
/// affordable at all.
[[nodiscard]] inline bool subsets_affordable(std::size_t parts, const Effort& effort) {
    std::uint64_t steps = 2;
    for (std::size_t i = 0; i < parts; ++i) {
        steps *= 3;
        if (steps > effort.left() || i >= 14) return false;
    }
    return true;
}

}  // namespace nvl72block
