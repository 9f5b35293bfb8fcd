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
    std::uint32_t group = 0;  ///< the lower-level vertex that the part lies in
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

/// layers[x] holds states with x segments placed. Exact (every reachable state) as long as no more
/// than `budget` steps are needed; `steps` counts them. Beyond it one greedy state a layer.
struct Packing {
    std::vector<std::vector<PackingState>> layers;
    bool exact = true;
};

[[nodiscard]] Packing pack_segments(const std::vector<PackingPart>& parts, const PackingRule& rule,
                                    std::uint64_t budget, std::uint64_t& steps);

}  // namespace nvl72block
