// SPDX-License-Identifier: GPL-2.0-or-later
//
// A construction of part groups for many segments: quick, not exact.
//
// A segment joins at most m pieces with enough nodes and leaves one piece, what it does not take;
// in the beginning every part is a piece. What one piece was joined of is a group.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/packing/part_groups.hpp"

namespace nvl72block {

/// Groups for exactly `segments` segments with all required nodes, or nullopt where no rule of
/// thumb finds them. `largest_first`: the parts by descending free nodes.
[[nodiscard]] std::optional<PartGroups> merge_parts(const std::vector<SegmentPart>& parts,
                                                    const std::vector<std::uint32_t>& largest_first,
                                                    const SegmentRule& rule, std::uint32_t segments,
                                                    Effort& effort);

}  // namespace nvl72block
