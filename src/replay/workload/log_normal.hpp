// SPDX-License-Identifier: GPL-2.0-or-later
//
// Durations of which no more is known than two quantiles.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "replay/workload/generator.hpp"

namespace nvl72block::replay {

/// The standard normal distribution at quantile_shares, cut off at its ends.
inline constexpr std::array<double, quantile_shares.size()> normal_quantiles = {
    -3.29, -2.326, -1.645, -1.282, -0.842, -0.524, -0.253, 0,     0.253, 0.524,
    0.842, 1.036,  1.282,  1.645,  1.881,  2.054,  2.326,  2.576, 3.09,  3.29};

/// Seconds whose logarithm is normal, with this median and 90th percentile in hours; what would be
/// longer than `longest` hours is as long as that.
[[nodiscard]] inline Quantiles log_normal(double median, double percentile_90, double longest) {
    constexpr double seconds_an_hour = 3600;
    constexpr double at_90 = 1.282;
    Quantiles seconds{};
    for (std::size_t i = 0; i < seconds.size(); ++i)
        seconds[i] =
            seconds_an_hour * std::min(longest, median * std::pow(percentile_90 / median,
                                                                  normal_quantiles[i] / at_90));
    return seconds;
}

/// Jobs on a day where they come independently of each other.
[[nodiscard]] inline Quantiles independent_days(double mean) {
    Quantiles jobs{};
    for (std::size_t i = 0; i < jobs.size(); ++i)
        jobs[i] = std::max(0.0, mean + std::sqrt(mean) * normal_quantiles[i]);
    return jobs;
}

/// As many in each hour of the day.
[[nodiscard]] constexpr std::array<double, 24> any_hour() {
    std::array<double, 24> hours{};
    hours.fill(1);
    return hours;
}

}  // namespace nvl72block::replay
