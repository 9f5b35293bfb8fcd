// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the offers of blocks, counted in nodes, allow a job: enough to refuse without a search, and
// to skip node counts that cannot fit.
#pragma once

#include "placement/rules/problem.hpp"

namespace nvl72block {

/// The most nodes (a multiple of the segment size for segmented jobs) that any scope of the problem
/// can give under its rule, required nodes included. Exact for plain jobs and for segments of at
/// most a base block, unless max_base_blocks is given together with a limit on lower blocks above
/// level 0; an upper bound otherwise.
[[nodiscard]] std::uint32_t most_nodes(const Tally& tally, const Problem& problem);

/// The fewest nodes that the required ones make of the job: a lower bound.
[[nodiscard]] std::uint64_t least_nodes(const Tally& tally, const Problem& problem);

/// Vertices [first, last) of `level` below the vertex (scope_level, scope).
struct Below {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};
[[nodiscard]] Below below(const Tally& tally, std::size_t scope_level, std::uint32_t scope,
                          std::size_t level);

}  // namespace nvl72block
