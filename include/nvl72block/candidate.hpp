// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which candidates a job does without: because what some of them share does not serve all, or
// because the job cannot run on all nodes of a placement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nvl72block/node_set.hpp"

namespace nvl72block {

/// A node and what it offers a job.
struct Candidate {
    NodeIndex node = 0;
    std::uint32_t group = 0;   ///< the candidates that share a limit
    std::uint64_t weight = 0;  ///< less is better
    std::uint32_t gpus = 0;
    std::uint32_t cpus = 0;
    bool required = false;
};

/// The candidates beyond what their groups serve, as node indices: a group g serves `room[g]` of
/// them, none if g >= room.size(). Those are served first that are required, then the lightest,
/// then those with the most GPUs, the most CPUs, the lowest index. Required ones are never surplus,
/// even where there are more of them than the group serves. O(n log n).
[[nodiscard]] std::vector<NodeIndex> surplus(std::vector<Candidate> candidates,
                                             std::span<const std::uint32_t> room);

/// The node that a placement loses least by: of the chosen ones that are not required the one with
/// the fewest GPUs, then the fewest CPUs, then the lowest index. Nothing if all are required.
/// Weights and groups do not matter.
[[nodiscard]] std::optional<NodeIndex> weakest(std::span<const Candidate> chosen);

}  // namespace nvl72block
