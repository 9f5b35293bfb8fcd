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

#include "placement/packing/part_groups.hpp"
#include "placement/rules/problem.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

class SegmentCut {
  public:
    /// `amounts`: what is taken from each part (Share::block), 1 node or more.
    SegmentCut(std::vector<Share> amounts, const SegmentRule& rule, Effort& effort)
        : rest_(std::move(amounts)), rule_(rule), effort_(effort) {}

    /// The segments of the amounts, which must add up to `segments` segments and be no more parts
    /// than most_parts(). A single segment takes them all, however many.
    std::vector<std::vector<Share>> run(std::uint32_t segments) {
        if (segments == 1) return {std::move(rest_)};
        std::ranges::sort(rest_, std::less{}, &Share::nodes);
        std::vector<std::vector<Share>> cut;
        cut.reserve(segments);
        for (; segments > 0; --segments) cut.push_back(next(segments));
        return cut;
    }

  private:
    /// One of `segments` that are left.
    std::vector<Share> next(std::uint32_t segments) {
        const bool parts_to_spare = rest_.size() <= most_parts(rule_, segments - 1);
        if (parts_to_spare && rest_.back().nodes >= rule_.nodes) return take(rest_.size() - 1, 0);
        // Empty parts in front of the window count as parts of it.
        const std::size_t empty = most_parts(rule_, segments) - rest_.size();
        std::size_t top = rule_.max_parts - 1 - std::min<std::size_t>(empty, rule_.max_parts - 1);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i <= top; ++i) sum += rest_[i].nodes;
        std::size_t width = top;  // parts of the window below its largest
        while (sum < rule_.nodes) {
            ++effort_.steps;
            sum += rest_[++top].nodes;
            if (width + 1 == rule_.max_parts)
                sum -= rest_[top - rule_.max_parts].nodes;
            else
                ++width;
        }
        return take(top, width);
    }

    /// All of the `width` parts below `top`, and what the segment still lacks from `top`.
    std::vector<Share> take(std::size_t top, std::size_t width) {
        effort_.steps += width + 1;
        const auto last = rest_.begin() + static_cast<std::ptrdiff_t>(top);
        const auto from = last - static_cast<std::ptrdiff_t>(width);
        std::vector<Share> segment(from, last);
        Share left = *last;
        std::uint32_t lacking = rule_.nodes;
        for (const Share& amount : segment) lacking -= amount.nodes;
        rest_.erase(from, last + 1);
        if (lacking > 0) segment.push_back({left.block, lacking});
        left.nodes -= lacking;
        if (left.nodes > 0)
            rest_.insert(std::ranges::upper_bound(rest_, left.nodes, std::less{}, &Share::nodes),
                         left);
        return segment;
    }

    std::vector<Share> rest_;  // ascending, where there are several segments
    SegmentRule rule_;
    Effort& effort_;
};

}  // namespace nvl72block
