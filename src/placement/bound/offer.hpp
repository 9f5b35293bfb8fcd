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

/// Base blocks that 1, 2, … segments larger than a base block need at least in a vertex of the unit
/// level, from its counts alone: by their number, with 0 for none, as far as segments may fit.
[[nodiscard]] std::vector<std::uint32_t> blocks_needed(const Tally& tally, const Problem& problem,
                                                       std::uint32_t vertex);

/// The fewest nodes that the required ones make of the job: a lower bound.
[[nodiscard]] std::uint64_t least_nodes(const Tally& tally, const Problem& problem);

}  // namespace nvl72block
