// SPDX-License-Identifier: GPL-2.0-or-later
//
// Spread segments: sets of base blocks, one set per segment and no base block in two.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/packing/part_groups.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// A base block with free nodes.
struct SetBlock {
    std::uint32_t free = 0;
    std::uint32_t required = 0;  ///< nodes that must be taken
    std::uint32_t group = 0;     ///< block of the next lower level that it lies in; ascending
};

/// Base blocks of a segment, by index.
using SegmentSets = std::vector<std::vector<std::uint32_t>>;

/// Sets for exactly `segments` segments that hold all blocks with required nodes, each in at most
/// rule.max_parts groups, by a rule of thumb: fullest first, the last the smallest that suffices.
/// With two parts per segment and groups of one block this gives as many sets as there can be.
[[nodiscard]] std::optional<SegmentSets> choose_sets(const std::vector<SetBlock>& blocks,
                                                     const SegmentRule& rule,
                                                     std::uint32_t segments, Effort& effort);

/// There are no more sets than this.
[[nodiscard]] std::uint32_t most_sets(const std::vector<SetBlock>& blocks, const SegmentRule& rule,
                                      Effort& effort);

}  // namespace nvl72block
