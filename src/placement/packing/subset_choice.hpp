// SPDX-License-Identifier: GPL-2.0-or-later
//
// The best way to give segments from few different parts, by all sets of the parts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/packing/part_groups.hpp"
#include "placement/search/label_table.hpp"

namespace nvl72block {

/// What a group takes from its parts, in the order of group.parts.
struct ChosenGroup {
    PartGroup group;
    std::vector<LabelKey> amounts;
};

/// For each of some amounts of nodes and base blocks (0 where these are not limited) the cheapest
/// groups of whole segments, up to `most_segments`, that hold all required nodes; none where that
/// is impossible. The parts have these tables; those of one table offer the same. Nullopt when
/// there are not enough steps, or not enough room, for all subsets.
[[nodiscard]] std::optional<std::vector<std::vector<ChosenGroup>>> cheapest_groups(
    const PackedVertex& vertex, std::vector<const LabelTable*> tables,
    const std::vector<SegmentPart>& parts, const SegmentRule& rule, std::uint32_t most_segments,
    const std::vector<LabelKey>& amounts, Effort& effort);

}  // namespace nvl72block
