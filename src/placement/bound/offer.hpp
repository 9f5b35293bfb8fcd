// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the offers of blocks, counted in nodes, allow a job: enough to refuse without a search, and
// to skip node counts that cannot fit.
#pragma once

#include "placement/bound/priced.hpp"

namespace nvl72block {

/// The most nodes (a multiple of the segment size for segmented jobs) that any scope of the problem
/// can give under its rule, required nodes included. Exact for plain jobs and for segments of at
/// most a base block, unless max_base_blocks is given together with a limit on lower blocks above
/// level 0; an upper bound otherwise.
[[nodiscard]] std::uint32_t most_nodes(const Tally& tally, const Problem& problem);

/// The fewest nodes that the required ones make of the job: a lower bound.
[[nodiscard]] std::uint64_t least_nodes(const Tally& tally, const Problem& problem);

}  // namespace nvl72block
