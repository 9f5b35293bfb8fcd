// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many segments each block of the unit level gives so that few base blocks are used.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/state/effort.hpp"

namespace nvl72block {

/// What one block of the unit level may give, and the base blocks that this takes.
struct SegmentOffer {
    static constexpr std::uint32_t impossible = ~std::uint32_t{0};
    std::uint32_t least = 0;            ///< segments that its required nodes make
    std::vector<std::uint32_t> blocks;  ///< by segments, from 0 on; or `impossible`
};

/// The segments of each offer, `units` together, in the fewest base blocks; nullopt where that is
/// impossible or too much work.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> in_few_blocks(
    const std::vector<SegmentOffer>& offers, std::uint32_t units, Effort& effort);

}  // namespace nvl72block
