// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cutting given amounts into segments that each draw from few parts.
//
// Amounts t(1) … t(v) that add up to e segments of s nodes can be cut so that every segment draws
// from at most m parts whenever v <= e(m - 1) + 1. Why: pad with empty parts to v = e(m - 1) + 1
// and sort. The m smallest but one add up to less than s, the m largest to at least s. Slide a
// window of m neighbours up until its sum reaches s: without its largest part it is below s, so a
// segment can take the others completely and the rest from the largest. That leaves v - (m - 1)
// parts for e - 1 segments, and the same holds again.
//
// Conversely segments and parts that hang together have v <= e(m - 1) + 1, since every segment
// after the first adds at most m - 1 parts. So nothing but the number of parts and their sum
// counts: no flow has to be checked.
//
// Example: 18, 18 and 4 nodes, segments of 20 over at most 2 parts (e = 2, v = 3): the window
// {4, 18} gives 4 + 16, then {2, 18} gives 2 + 18.
#pragma once

#include <cstdint>
#include <vector>

#include "placement/state/effort.hpp"

namespace nvl72block {

/// Nodes that are taken from a part.
struct PartAmount {
    std::uint32_t part = 0;
    std::uint32_t nodes = 0;
};

/// The segments of `amounts`, which must add up to `segments` segments and be no more parts than
/// segments * (max_parts - 1) + 1. A single segment takes them all, however many.
[[nodiscard]] std::vector<std::vector<PartAmount>> cut_segments(std::vector<PartAmount> amounts,
                                                                std::uint32_t segments,
                                                                std::uint32_t segment_nodes,
                                                                std::uint32_t max_parts,
                                                                Effort& effort);

}  // namespace nvl72block
