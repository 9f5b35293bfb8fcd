// SPDX-License-Identifier: GPL-2.0-or-later
//
// The greedy search inside one scope: how many nodes each base block gives.
#pragma once

#include <cstdint>
#include <vector>

#include "placement/rules/problem.hpp"

namespace nvl72block {

/// Candidate ways to take problem.units units, each in one base block of a scope: each ascending by
/// block; empty when the scope cannot hold them. Every candidate satisfies the problem's
/// constraints. Adds to `steps` what it looked at, which no budget ends.
[[nodiscard]] std::vector<std::vector<Share>> fill(const Tally& tally, const CostLayout& layout,
                                                   const Problem& problem, std::uint32_t scope,
                                                   std::uint64_t& steps);

/// What one base block can give in a greedy search, in units.
struct FillOffer {
    std::uint32_t forced = 0;  ///< at least this many
    std::uint32_t most = 0;    ///< at most this many
    /// At most this many without what the search avoids: breaking a block, or losing a slot.
    std::uint32_t allowed = 0;
    std::uint32_t slack = 0;  ///< at most this many without breaking a whole block
};

/// Sets FillOffer::allowed of the base blocks from `first` on: more of each as long as that costs
/// no slot, of whole blocks last; then what is cheapest per unit, and at the end the cheapest that
/// completes the job. The offers hold the job. Adds to `steps`.
void give_up_slots(const CostLayout& layout, const Problem& problem, BlockIndex first,
                   std::vector<FillOffer>& offers, std::uint64_t& steps);

}  // namespace nvl72block
