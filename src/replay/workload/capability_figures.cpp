// SPDX-License-Identifier: GPL-2.0-or-later
//
// From the shares of jobs and the durations by size of a public log: 23,911 jobs of the year 2022
// on a capability machine, an eighth of its nodes. tests/RESULTS.md compares generated jobs with
// it.
#include "replay/workload/generator.hpp"
#include "replay/workload/log_normal.hpp"

namespace nvl72block::replay {
namespace {

constexpr double longest = 24;

constexpr SizeClass::Size nodes(std::uint32_t count, std::uint32_t jobs) {
    return {4 * count, jobs};
}

/// Of the jobs of 128 nodes, which have two kinds: an hour, and as long as the machine allows.
constexpr Quantiles hours_of_128 = {0.01, 0.01, 0.02, 0.04, 0.21, 0.34, 0.52, 1.02, 4.01, 6.02,
                                    12.0, 20.0, 23.7, 24.0, 24.0, 24.0, 24.0, 24.1, 45.4, 45.4};

Quantiles seconds_of(Quantiles hours) {
    constexpr double seconds_an_hour = 3600;
    for (double& each : hours) each *= seconds_an_hour;
    return hours;
}

constexpr std::array nodes_16 = {nodes(16, 560)};
constexpr std::array nodes_17 = {nodes(20, 14), nodes(24, 13), nodes(30, 13)};
constexpr std::array nodes_32 = {nodes(32, 180)};
constexpr std::array nodes_33 = {nodes(40, 14), nodes(48, 13), nodes(60, 13)};
constexpr std::array nodes_64 = {nodes(64, 40)};
constexpr std::array nodes_65 = {nodes(80, 15), nodes(96, 15), nodes(100, 15), nodes(120, 15)};
constexpr std::array nodes_128 = {nodes(128, 50)};
constexpr std::array nodes_129 = {nodes(150, 3), nodes(180, 3), nodes(200, 2), nodes(240, 2)};
constexpr std::array nodes_256 = {nodes(256, 6)};
constexpr std::array nodes_257 = {nodes(300, 2), nodes(350, 2), nodes(400, 2), nodes(506, 2)};

}  // namespace

const LogFigures& capability_figures() {
    static const std::array classes = {SizeClass{nodes_16, log_normal(0.8, 3, longest)},
                                       SizeClass{nodes_17, log_normal(1, 4.2, longest)},
                                       SizeClass{nodes_32, log_normal(1, 6, longest)},
                                       SizeClass{nodes_33, log_normal(2.5, 9, longest)},
                                       SizeClass{nodes_64, log_normal(1, 7.2, longest)},
                                       SizeClass{nodes_65, log_normal(2.3, 12, longest)},
                                       SizeClass{nodes_128, seconds_of(hours_of_128)},
                                       SizeClass{nodes_129, log_normal(6, 22, longest)},
                                       SizeClass{nodes_256, log_normal(4.8, 24, longest)},
                                       SizeClass{nodes_257, log_normal(1.8, 13, longest)}};
    static const LogFigures figures{classes, 365, independent_days(65.5), any_hour(), 2000, 0.6};
    return figures;
}

}  // namespace nvl72block::replay
