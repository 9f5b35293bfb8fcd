// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first answer for plain jobs and segments of up to a base block: level by level it opens as
// few whole blocks as the job needs, then takes few base blocks with little left over. It finds a
// placement wherever the exact search would (the combination of max_base_blocks with a limit on
// lower blocks excepted); how near its answers come to the best is measured in the tests.
#pragma once

#include <optional>

#include "placement/rules/problem.hpp"

namespace nvl72block {

/// A good division, or nullopt. Adds to `steps` what it did, which no budget ends.
[[nodiscard]] std::optional<Division> search_greedily(const CostLayout& layout,
                                                      const Problem& problem, std::uint64_t& steps);

}  // namespace nvl72block
