// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first answer for segments larger than a base block: they are put together by rules of thumb,
// block of the unit level by block.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/rules/problem.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// Which blocks of the unit level give segments first, after those with required nodes.
enum class BlockOrder {
    fullest,   ///< few of them; a placement is mostly found if there is one
    cheapest,  ///< segment by segment the one that costs least
};

/// A division that keeps every rule, required nodes included; nullopt if none is found, which
/// proves nothing.
[[nodiscard]] std::optional<Division> build_segments(const CostLayout& layout,
                                                     const Problem& problem, BlockOrder order,
                                                     Effort& effort);

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
