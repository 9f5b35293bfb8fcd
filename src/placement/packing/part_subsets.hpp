// SPDX-License-Identifier: GPL-2.0-or-later
//
// Part groups by all subsets of the parts, where parts that offer the same are told apart by their
// number only: exact, and exponential in the number of different parts.
#pragma once

#include <optional>

#include "placement/packing/part_groups.hpp"

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

}  // namespace nvl72block
