// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sizes as counted in 878 public recipes of inference on GB200 and GB300: 41 % have at most 5
// nodes, 81 % at most 9, 93 % at most 13, with peaks at 9 (mostly 1 + 8), 6 and 5. How long
// replicas live is an assumption: for days.
#include "replay/workload/generator.hpp"
#include "replay/workload/log_normal.hpp"

namespace nvl72block::replay {
namespace {

constexpr SizeClass::Size nodes(std::uint32_t count, std::uint32_t jobs) {
    return {4 * count, jobs};
}

constexpr std::array sizes = {
    nodes(1, 61),  nodes(2, 61),  nodes(3, 60),  nodes(4, 61),  nodes(5, 117), nodes(6, 125),
    nodes(7, 42),  nodes(8, 42),  nodes(9, 142), nodes(10, 27), nodes(11, 26), nodes(12, 26),
    nodes(13, 26), nodes(14, 13), nodes(15, 13), nodes(16, 12), nodes(17, 12), nodes(18, 12)};

constexpr double hours_a_day = 24;

}  // namespace

const LogFigures& inference_figures() {
    static const std::array classes = {
        SizeClass{sizes, log_normal(3 * hours_a_day, 10 * hours_a_day, 30 * hours_a_day)}};
    static const LogFigures figures{classes, 365, independent_days(20), any_hour(), 2000, 0, true};
    return figures;
}

}  // namespace nvl72block::replay
