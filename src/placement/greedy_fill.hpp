// SPDX-License-Identifier: GPL-2.0-or-later
//
// The greedy search inside one scope: how many units each vertex of the unit level gives.
#pragma once

#include <span>
#include <vector>

#include "placement/problem.hpp"

namespace nvl72block {

struct Amount {
    std::uint32_t vertex = 0;  ///< of the problem's unit level
    std::uint32_t units = 0;   ///< 1 or more
};

/// Candidate ways to take problem.units units in a scope, each ascending by vertex; empty when the
/// scope cannot hold them. Every candidate satisfies the problem's constraints. `ranges`, if any,
/// takes the place of unit_range() and has an entry for every vertex of the unit level; segments
/// that must be packed need it.
[[nodiscard]] std::vector<std::vector<Amount>> fill(const Tally& tally, const CostLayout& layout,
                                                    const Problem& problem, std::uint32_t scope,
                                                    std::span<const UnitRange> ranges = {});

}  // namespace nvl72block
