// SPDX-License-Identifier: GPL-2.0-or-later
//
// The best ways that packing has found, and how the nodes of a way are cut into segments.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/packing/part_groups.hpp"

namespace nvl72block {

class BestWays {
  public:
    /// Segments are made of the blocks `parts` of a level, in ascending order.
    BestWays(const PackedVertex& vertex, const SegmentRule& rule, std::size_t part_level,
             const std::vector<std::uint32_t>& parts, Effort& effort)
        : vertex_(vertex), rule_(rule), part_level_(part_level), parts_(parts), effort_(effort) {}

    /// Keeps what takes these nodes (no base block twice) from these groups, if it is better than
    /// what is known, within the limit on base blocks.
    void propose(std::uint32_t segments, std::vector<Share> taken, const PartGroups& groups);

    [[nodiscard]] bool has(std::uint32_t segments) const;
    /// By so many base blocks, where these are limited.
    [[nodiscard]] Cost cost(std::uint32_t segments, std::size_t blocks) const;
    /// Ends its use.
    [[nodiscard]] std::vector<PackedWay> take();

    /// The position of the part that a base block lies in.
    [[nodiscard]] std::uint32_t part_of(BlockIndex block) const;

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // segments, base blocks

    [[nodiscard]] Key key(std::uint32_t segments, std::size_t blocks) const {
        return {segments,
                vertex_.problem.max_base_blocks == 0 ? 0 : static_cast<std::uint32_t>(blocks)};
    }
    [[nodiscard]] std::vector<std::vector<Share>> cut(const std::vector<Share>& taken,
                                                      const PartGroups& groups);

    const PackedVertex& vertex_;
    SegmentRule rule_;
    std::size_t part_level_;
    const std::vector<std::uint32_t>& parts_;
    Effort& effort_;
    std::map<Key, PackedWay> cheapest_;
};

}  // namespace nvl72block
