// SPDX-License-Identifier: GPL-2.0-or-later
//
// Segments that help nobody: so small that they keep next to nothing together, where a rack could
// hold much more of the job.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/request_options.hpp"
#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// A smaller segment is one: 4 nodes of 4 GPUs are the smallest that NVIDIA advises for jobs of 8
/// nodes and more.
inline constexpr std::uint32_t least_useful_segment = 4;

/// A better request for a job of `nodes` nodes in segments of `segment`.
struct BetterSegment {
    std::uint32_t nodes = 0;    ///< the same count, or the nearest with a segment of 3/4 of a rack
    std::uint32_t segment = 0;  ///< the largest divisor that a rack holds; 0: no --segment
};

/// nullopt if the segment is useful, or if racks hold no more than a useful segment.
[[nodiscard]] std::optional<BetterSegment> better_segment(std::uint32_t nodes,
                                                          std::uint32_t segment,
                                                          std::uint32_t rack_nodes);

struct SegmentFinding {
    std::string where;  ///< "jobs.txt:3", or "partition gpu"
    std::uint32_t jobs = 1;
    std::uint32_t nodes = 0;  ///< of the largest of them
    std::uint32_t segment = 0;
    std::uint32_t rack_nodes = 0;
    BetterSegment better;
    /// The same segment in all jobs of the partition that have several sizes, as a default gives.
    bool looks_like_default = false;
};

/// Of the lines of a requests file, each by itself; ranges of nodes are not judged.
[[nodiscard]] std::vector<SegmentFinding> segment_findings(const std::vector<JobRequest>& requests,
                                                           std::uint32_t rack_nodes);
/// Of waiting and running jobs, one finding per partition and segment.
[[nodiscard]] std::vector<SegmentFinding> segment_findings(const std::vector<JobRecord>& jobs,
                                                           std::uint32_t rack_nodes);

/// One sentence with the remedy.
[[nodiscard]] std::string sentence(const SegmentFinding& finding);

}  // namespace nvl72block::cli
