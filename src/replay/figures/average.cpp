// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/figures/average.hpp"

#include <algorithm>
#include <cmath>

namespace nvl72block::replay {
namespace {

double mean_of(const std::vector<Metrics>& runs, double Metrics::*figure) {
    double sum = 0;
    for (const Metrics& run : runs) sum += run.*figure;
    return sum / static_cast<double>(runs.size());
}

/// How far the mean of the runs may be off by chance.
double standard_error(const std::vector<Metrics>& runs, double Metrics::*figure) {
    if (runs.size() < 2) return 0;
    const double mean = mean_of(runs, figure);
    double squares = 0;
    for (const Metrics& run : runs) squares += (run.*figure - mean) * (run.*figure - mean);
    const auto count = static_cast<double>(runs.size());
    return std::sqrt(squares / (count - 1) / count);
}

}  // namespace

Metrics average(const std::vector<Metrics>& runs) {
    Metrics result = runs.front();
    for (double Metrics::*figure :
         {&Metrics::useful, &Metrics::lost_gpu_hours, &Metrics::turnaround_large,
          &Metrics::occupancy, &Metrics::fragmentation_usable, &Metrics::fragmentation_stock,
          &Metrics::free_in_whole_racks, &Metrics::wait_all, &Metrics::wait_large,
          &Metrics::segments_whole, &Metrics::racks_over_least})
        result.*figure = mean_of(runs, figure);
    result.useful_error = standard_error(runs, &Metrics::useful);
    result.wait_large_error = standard_error(runs, &Metrics::wait_large);
    for (std::size_t i = 1; i < runs.size(); ++i) {
        result.jobs += runs[i].jobs;
        result.refused += runs[i].refused;
        result.torn_jobs += runs[i].torn_jobs;
        result.failed_jobs += runs[i].failed_jobs;
        result.segmented_jobs += runs[i].segmented_jobs;
        result.makespan = std::max(result.makespan, runs[i].makespan);
        result.large_waits.insert(result.large_waits.end(), runs[i].large_waits.begin(),
                                  runs[i].large_waits.end());
    }
    std::sort(result.large_waits.begin(), result.large_waits.end());
    result.wait_large_p95 = percentile(result.large_waits, 0.95);
    return result;
}

}  // namespace nvl72block::replay
