// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a replay measures under one strategy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/simulation/simulator.hpp"

namespace nvl72block::replay {

/// Jobs of this many nodes and more are the large ones whose waits are reported.
inline constexpr std::uint32_t large_job_nodes = 16;

inline constexpr double seconds_an_hour = 3600;

/// A quantity over time, as means of equal slices of the window.
using Series = std::vector<double>;

struct Metrics {
    std::string strategy;
    std::size_t jobs = 0;     ///< measured
    std::size_t refused = 0;  ///< no placement even on the empty cluster
    /// The window of the means over time: from the first arrival to the last.
    double occupancy = 0;             ///< share of the GPUs in service that jobs hold
    double fragmentation_usable = 0;  ///< mean over the window
    double fragmentation_stock = 0;   ///< mean over the window
    /// Of the free node time, the share in racks with all planned nodes free.
    double free_in_whole_racks = 0;
    /// Share of the GPU time in service that was work: what jobs hold without what tearing costs.
    double useful = 0;
    double useful_error = 0;         ///< standard error of it over several runs
    double lost_gpu_hours = 0;       ///< held by measured jobs and no work; a mean over the runs
    double turnaround_large = 0;     ///< mean of wait and run, seconds, of large jobs that finish
    std::size_t torn_jobs = 0;       ///< with a group on more racks than it needs
    std::size_t failed_jobs = 0;     ///< that could not run so
    double wait_all = 0;             ///< mean, seconds
    double wait_large = 0;           ///< mean, seconds, of large jobs
    double wait_large_error = 0;     ///< standard error of that mean over several runs
    double wait_large_p95 = 0;       ///< seconds
    std::int64_t makespan = 0;       ///< first arrival to last end, seconds
    std::size_t segmented_jobs = 0;  ///< jobs with segments of two nodes and more
    double segments_whole = 1;       ///< share of those whose segments all obey the plain rule
    double racks_over_least = 1;     ///< mean over jobs of two nodes and more
    Series occupancy_series;
    Series fragmentation_series;      ///< fragmentation_usable
    std::vector<double> large_waits;  ///< seconds, ascending
};

/// The smallest value that `share` of the ascending values do not exceed; 0 of no values.
[[nodiscard]] double percentile(const std::vector<double>& ascending, double share);

/// Runs one simulation and measures it from time 0 on; jobs submitted before then are simulated
/// only.
[[nodiscard]] Metrics measure(const Topology& topology, const std::vector<Job>& jobs,
                              Strategy& strategy, const SimulationOptions& options,
                              const std::function<void(std::size_t started)>& progress);

}  // namespace nvl72block::replay
