// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many segments that are larger than a base block fit into one vertex when each may use only
// some of its parts, and what each then takes. Bin packing at heart, therefore bounded.
#pragma once

#include <cstdint>
#include <vector>

namespace nvl72block {

/// A part that a segment can take nodes from.
struct PackingPart {
    std::uint32_t free = 0;
    std::uint32_t group = 0;  ///< the lower-level vertex that the part lies in; parts ascend by it
    std::uint32_t required = 0;  ///< nodes that must be taken by the segments together
};

struct PackingRule {
    std::uint32_t segment_nodes = 0;
    std::uint32_t max_segments = 0;
    std::uint32_t max_groups = 0;  ///< groups that one segment may use
    bool spread = false;           ///< a part serves one segment only
};

/// One way to place some segments: nodes taken per part, and the last segment's own shares.
struct PackingState {
    std::vector<std::uint16_t> taken;    ///< per part, all segments so far
    std::vector<std::uint16_t> segment;  ///< per part, the last segment
    std::uint32_t previous = 0;          ///< index into the layer before
};

/// layers[x] holds states with x segments placed: all that can be reached, while that takes no more
/// than the budget's steps. Beyond it, one state stands for all that leave the same amounts in the
/// parts, whichever parts they are: still exact on how many segments fit, where every part is a
/// group of its own. Beyond that too, one state a layer by a rule of thumb.
struct Packing {
    std::vector<std::vector<PackingState>> layers;
    bool exact = true;     ///< holds every state
    bool complete = true;  ///< has a layer for every number of segments that fits
};

[[nodiscard]] Packing pack_segments(const std::vector<PackingPart>& parts, const PackingRule& rule,
                                    std::uint64_t budget, std::uint64_t& steps);

}  // namespace nvl72block
