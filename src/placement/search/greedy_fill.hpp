// SPDX-License-Identifier: GPL-2.0-or-later
//
// The greedy search inside one scope: how many units each vertex of the unit level gives.
#pragma once

#include <cstdint>
#include <vector>

#include "placement/rules/problem.hpp"

namespace nvl72block {

struct Amount {
    std::uint32_t vertex = 0;  ///< of the problem's unit level
    std::uint32_t units = 0;   ///< 1 or more
};

/// Candidate ways to take problem.units units in a scope, each ascending by vertex; empty when the
/// scope cannot hold them. Every candidate satisfies the problem's constraints.
/// Adds to `steps` what it looked at, which no budget ends.
[[nodiscard]] std::vector<std::vector<Amount>> fill(const Tally& tally, const CostLayout& layout,
                                                    const Problem& problem, std::uint32_t scope,
                                                    std::uint64_t& steps);

}  // namespace nvl72block
