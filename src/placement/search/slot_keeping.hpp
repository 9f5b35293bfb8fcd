// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much each base block may give so that a job costs few slots: a step of the greedy search.
#pragma once

#include <cstdint>
#include <vector>

#include "placement/rules/problem.hpp"

namespace nvl72block {

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
