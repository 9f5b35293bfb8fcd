// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first answer for plain jobs and segments of up to a base block (README.md, "First answers").
// How near its answers come to the best is measured in the tests.
#pragma once

#include <optional>

#include "placement/rules/problem.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// A good division, or nullopt. Fewer orders are tried in a long decision beyond its budget.
[[nodiscard]] std::optional<Division> search_greedily(const CostLayout& layout,
                                                      const Problem& problem, Effort& effort);

}  // namespace nvl72block
