// SPDX-License-Identifier: GPL-2.0-or-later
//
// Recorded jobs: when each came, how long it ran, what it had.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace nvl72block::replay {

struct TraceJob {
    std::int64_t arrival = 0;     ///< seconds
    std::int64_t duration = 0;    ///< seconds, 1 or more
    std::uint32_t gpus = 0;       ///< 0: not recorded; then `nodes` is 1 or more
    std::uint32_t nodes = 0;      ///< the job takes at least so many
    std::int64_t time_limit = 0;  ///< seconds that the job asked for; 0: not recorded
    /// Nodes per segment, 0 for none; nullopt: not recorded.
    std::optional<std::uint32_t> segment = std::nullopt;
    std::int64_t wait = 0;  ///< seconds from the arrival to the start; 0: not recorded
    std::string id{};       ///< empty: not recorded
};

struct Trace {
    std::vector<TraceJob> jobs;  ///< never empty
    std::size_t not_run = 0;     ///< recorded jobs that never ran, left out
    std::size_t early_days = 0;  ///< nearly empty days at the beginning, cut off
    std::size_t early_jobs = 0;  ///< their jobs
    std::size_t ends_lost = 0;   ///< jobs without an end that are long past their time limit
};

/// A trace that cannot be read; what() names the line and says what to do.
class TraceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads a log as recorded, times in seconds since 1970, in the form that its first line shows;
/// nvl72block(1) has the forms:
/// - lines of `sacct -P` with a header;
/// - the Standard Workload Format, which starts with a comment (`;`) or a line of 18 numbers;
/// - comma-separated values with a header: arrival_time, num_iteration (twice the seconds),
///   gpu_workers, gpu_per_worker, or timestamp, duration, num_gpus.
/// `name` is used in messages.
[[nodiscard]] Trace read_log(std::istream& stream, const std::string& name);

/// A log to be replayed: after cut_beginning().
[[nodiscard]] Trace read_trace(std::istream& stream, const std::string& name);

/// Sorts by arrival and lets the first job arrive at 0. Cuts off the days at the beginning, counted
/// from the first arrival, that have less than a tenth of the mean number of jobs per day: a log
/// that begins while its recording is tried out.
void cut_beginning(Trace& trace);

}  // namespace nvl72block::replay
