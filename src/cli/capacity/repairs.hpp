// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which nodes to bring back into service first: by what each return makes possible.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/capacity/job_mix.hpp"
#include "cli/question/availability.hpp"
#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// Whole segments of one size that the nodes' base blocks hold in addition.
struct SegmentGain {
    std::uint32_t size = 0;
    std::uint32_t now = 0;
    std::uint32_t later = 0;  ///< when the jobs in these blocks have ended
};

struct Repair {
    NodeSet nodes;
    std::vector<BlockIndex> blocks;
    std::vector<const JobRecord*> jobs;  ///< waiting ones that would start, if none comes first
    std::vector<SegmentGain> segments;   ///< without gain: left out; largest first
    /// Base blocks that would be whole: free, and in service.
    std::uint32_t whole_now = 0;
    std::uint32_t whole_later = 0;
};

/// The best first. Segments count that are as large as those of the jobs in `mix`, and base blocks.
[[nodiscard]] std::vector<Repair> repairs(const ClusterState& state, const Viewer& viewer,
                                          const Availability& nodes, const JobMix& mix);

}  // namespace nvl72block::cli
