// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld would have learned from the jobs of a log, had it counted them all the while.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nvl72block/demand_history.hpp"
#include "replay/workload/workload.hpp"

namespace nvl72block::replay {

/// The jobs of a log that ask for slots of one size.
struct SizeInLog {
    std::uint32_t nodes = 0;  ///< per slot
    std::size_t jobs = 0;
    double node_seconds = 0;
    double share = 0;  ///< of the node time of all sizes
    /// Of `share`, if the log is a sample of jobs that come independently of each other.
    double standard_error = 0;
    double recent_node_seconds = 0;  ///< halved with time, as a history has them
};

struct LogHistory {
    DemandHistory history;         ///< as of `end`
    std::vector<SizeInLog> sizes;  ///< the largest share first
    std::size_t jobs = 0;
    double node_seconds = 0;
    std::int64_t begin = 0;  ///< when the first job started
    std::int64_t end = 0;    ///< when the last one ended
};

/// `jobs` are one or more, with times in seconds since any fixed time; each counts from its start
/// to its end. How long it waited does not count: a log does not say what for.
[[nodiscard]] LogHistory history_of(const std::vector<TraceJob>& jobs,
                                    const WorkloadOptions& options);

}  // namespace nvl72block::replay
