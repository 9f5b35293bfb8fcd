// SPDX-License-Identifier: GPL-2.0-or-later
//
// Recorded jobs: when each came, how long it ran, how many GPUs it had.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

namespace nvl72block::replay {

struct TraceJob {
    std::int64_t arrival = 0;   ///< seconds
    std::int64_t duration = 0;  ///< seconds, 1 or more
    std::uint32_t gpus = 0;     ///< 1 or more
};

/// A trace that cannot be read; what() names the line.
class TraceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads comma-separated values with a header line, in either of two forms:
/// - arrival_time, num_iteration (twice the seconds), gpu_workers, gpu_per_worker: the Kalos log;
/// - timestamp (YYYY-MM-DD HH:MM:SS or seconds), duration, num_gpus: the Philly log.
/// Other columns are ignored. The jobs are sorted by arrival, the first arrives at 0.
/// `name` is used in messages.
[[nodiscard]] std::vector<TraceJob> read_trace(std::istream& stream, const std::string& name);

}  // namespace nvl72block::replay
