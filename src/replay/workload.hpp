// SPDX-License-Identifier: GPL-2.0-or-later
//
// A trace fitted to a site: whole nodes, segments, as many jobs and as much load as asked.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/segment_rule.hpp"
#include "replay/trace.hpp"

namespace nvl72block::replay {

struct Job {
    std::int64_t submit = 0;    ///< seconds
    std::int64_t duration = 0;  ///< seconds; also the time limit that backfill plans with
    std::uint32_t nodes = 0;
    std::uint32_t segment = 0;  ///< nodes a segment; 0: none

    /// More than one segment, and segments that can be torn apart.
    [[nodiscard]] bool has_segments() const { return segment > 1 && nodes >= segment; }
};

struct WorkloadOptions {
    std::uint32_t site_nodes = 0;  ///< nodes in service
    std::uint32_t gpus_per_node = 4;
    std::size_t jobs = 0;  ///< 0: as many as the trace has
    std::uint64_t seed = 1;
    double load = 0;  ///< work offered over what the site can do; 0: arrivals as recorded
    SegmentRule rule;
};

struct Workload {
    std::vector<Job> jobs;      ///< by submit time, the first at 0
    std::size_t too_large = 0;  ///< jobs of the trace that the site could never hold, left out
    double time_scale = 1;      ///< factor on the recorded arrival times
    double load = 0;            ///< work offered over what the site can do between the arrivals
};

/// Fewer jobs than the trace has: its first ones. More: the trace again and again, each time with
/// the jobs (size and duration together) dealt out anew to the recorded arrival times by `seed`.
[[nodiscard]] Workload make_workload(const std::vector<TraceJob>& trace,
                                     const WorkloadOptions& options);

}  // namespace nvl72block::replay
