// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which --segment a job of the replay asks for, by its size.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nvl72block::replay {

/// `nodes` rounded up to whole segments, as sbatch accepts them; 0 is no segment.
[[nodiscard]] std::uint32_t rounded_to(std::uint32_t segment, std::uint32_t nodes);

class SegmentRule {
  public:
    /// "nvidia": what NVIDIA advises for GB200, in nodes of 4 GPUs: 16 from 32 nodes (128 GPUs), 4
    /// from 8 nodes (32 GPUs), 1 below. "plain": no job asks for segments. Otherwise
    /// "FROM:SEGMENT,…", e.g. "32:16,8:4,1:0": jobs of FROM nodes and more ask for SEGMENT, where 0
    /// is no segments. Returns nullopt if `text` is none of these.
    [[nodiscard]] static std::optional<SegmentRule> parse(std::string_view text);

    /// Nodes a segment, or 0.
    [[nodiscard]] std::uint32_t segment(std::uint32_t nodes) const;

    /// `nodes` rounded up to segments of that size.
    [[nodiscard]] std::uint32_t rounded(std::uint32_t nodes) const;

  private:
    struct Step {
        std::uint32_t from_nodes = 0;
        std::uint32_t segment = 0;
    };
    std::vector<Step> steps_;  // largest from_nodes first
};

}  // namespace nvl72block::replay
