// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/segment_cut.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

class Cutter {
  public:
    Cutter(std::vector<PartAmount> amounts, std::uint32_t segment_nodes, std::uint32_t max_parts,
           Effort& effort)
        : rest_(std::move(amounts)), nodes_(segment_nodes), parts_(max_parts), effort_(effort) {
        std::sort(rest_.begin(), rest_.end(), fewer);
    }

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

  private:
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

    std::vector<PartAmount> rest_;  // ascending
    std::uint32_t nodes_;
    std::uint32_t parts_;
    Effort& effort_;
};

}  // namespace

std::vector<std::vector<PartAmount>> cut_segments(std::vector<PartAmount> amounts,
                                                  std::uint32_t segments,
                                                  std::uint32_t segment_nodes,
                                                  std::uint32_t max_parts, Effort& effort) {
    std::erase_if(amounts, [](const PartAmount& amount) { return amount.nodes == 0; });
    if (segments == 1) return {std::move(amounts)};
    std::vector<std::vector<PartAmount>> cut;
    cut.reserve(segments);
    Cutter cutter(std::move(amounts), segment_nodes, max_parts, effort);
    for (std::uint32_t left = segments; left > 0; --left) cut.push_back(cutter.next(left));
    return cut;
}

}  // namespace nvl72block
