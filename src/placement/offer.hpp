// SPDX-License-Identifier: GPL-2.0-or-later
//
// The most that the counts alone allow: enough to refuse without a search, and to skip node counts
// that cannot fit.
#pragma once

#include "placement/problem.hpp"

namespace nvl72block {

/// The most nodes (a multiple of the segment size for segmented jobs) that any scope of the problem
/// can give under its rule, required nodes included. Exact, but for packed segments and
/// max_base_blocks, where it is an upper bound.
[[nodiscard]] std::uint32_t most_nodes(const Tally& tally, const Problem& problem);

}  // namespace nvl72block
