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

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "placement/state/effort.hpp"

namespace nvl72block {

/// Nodes that are taken from a part.
struct PartAmount {
    std::uint32_t part = 0;
    std::uint32_t nodes = 0;
};

class SegmentCut {
  public:
    SegmentCut(std::vector<PartAmount> amounts, std::uint32_t segment_nodes,
               std::uint32_t max_parts, Effort& effort)
        : rest_(std::move(amounts)), nodes_(segment_nodes), parts_(max_parts), effort_(effort) {
        std::erase_if(rest_, [](const PartAmount& amount) { return amount.nodes == 0; });
    }

    /// The segments of the amounts, which must add up to `segments` segments and be no more parts
    /// than segments * (max_parts - 1) + 1. A single segment takes them all, however many.
    std::vector<std::vector<PartAmount>> run(std::uint32_t segments) {
        if (segments == 1) return {std::move(rest_)};
        std::sort(rest_.begin(), rest_.end(), fewer);
        std::vector<std::vector<PartAmount>> cut;
        cut.reserve(segments);
        for (; segments > 0; --segments) cut.push_back(next(segments));
        return cut;
    }

  private:
    /// One of `segments` that are left.
    std::vector<PartAmount> next(std::uint32_t segments) {
        const bool parts_to_spare = rest_.size() <= std::size_t{segments - 1} * (parts_ - 1) + 1;
        if (parts_to_spare && rest_.back().nodes >= nodes_) return take(rest_.size() - 1, 0);
        // Empty parts in front of the window count as parts of it.
        std::size_t empty = std::size_t{segments} * (parts_ - 1) + 1 - rest_.size();
        empty = std::min<std::size_t>(empty, parts_ - 1);
        std::size_t top = parts_ - empty - 1;
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i <= top; ++i) sum += rest_[i].nodes;
        std::size_t width = top;  // parts of the window below its largest
        while (sum < nodes_) {
            ++effort_.steps;
            sum += rest_[++top].nodes;
            if (width + 1 == parts_)
                sum -= rest_[top - parts_].nodes;
            else
                ++width;
        }
        return take(top, width);
    }

    static bool fewer(const PartAmount& a, const PartAmount& b) { return a.nodes < b.nodes; }

    /// All of the `width` parts below `top`, and what the segment still lacks from `top`.
    std::vector<PartAmount> take(std::size_t top, std::size_t width) {
        effort_.steps += width + 1;
        const auto from = rest_.begin() + static_cast<std::ptrdiff_t>(top - width);
        std::vector<PartAmount> segment(from, from + static_cast<std::ptrdiff_t>(width));
        PartAmount last = rest_[top];
        std::uint32_t lacking = nodes_;
        for (const PartAmount& amount : segment) lacking -= amount.nodes;
        rest_.erase(from, from + static_cast<std::ptrdiff_t>(width) + 1);
        const std::uint32_t left = last.nodes - lacking;
        last.nodes = lacking;
        if (lacking > 0) segment.push_back(last);
        last.nodes = left;
        if (left > 0) rest_.insert(std::upper_bound(rest_.begin(), rest_.end(), last, fewer), last);
        return segment;
    }

    std::vector<PartAmount> rest_;  // ascending, where there are several segments
    std::uint32_t nodes_;
    std::uint32_t parts_;
    Effort& effort_;
};

}  // namespace nvl72block
