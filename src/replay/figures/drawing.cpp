// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/figures/drawing.hpp"

#include <fmt/format.h>

#include "replay/figures/line_chart.hpp"

namespace nvl72block::replay {
namespace {

constexpr double seconds_an_hour = 3600;
constexpr double seconds_a_day = 86400;

ChartLine over_time(const std::string& name, const Series& series, std::int64_t window,
                    double factor) {
    ChartLine line{name, {}};
    const double slice =
        static_cast<double>(window) / seconds_a_day / static_cast<double>(series.size());
    for (std::size_t i = 0; i < series.size(); ++i)
        line.points.emplace_back((static_cast<double>(i) + 0.5) * slice, series[i] * factor);
    return line;
}

/// For each share of the jobs (x, percent): what they wait at most (y, hours).
ChartLine waits(const Metrics& metrics) {
    constexpr int steps = 200;
    ChartLine line{metrics.strategy, {}};
    if (metrics.large_waits.empty()) return line;
    for (int i = 0; i <= steps; ++i) {
        const double share = static_cast<double>(i) / steps;
        line.points.emplace_back(100 * share,
                                 percentile(metrics.large_waits, share) / seconds_an_hour);
    }
    return line;
}

}  // namespace

std::string replay_svg(const ReplayFacts& facts, const std::vector<Metrics>& metrics) {
    Chart occupancy{"GPU occupancy", "days", "percent", 100, {}};
    Chart fragmentation{"Fragmentation in usable sizes (lower is better)", "days", "nodes", 0, {}};
    Chart wait{fmt::format("Waits of jobs of {} nodes and more, sorted", large_job_nodes),
               "percent of these jobs wait at most so long",
               "hours",
               0,
               {}};
    for (const Metrics& each : metrics) {
        occupancy.lines.push_back(
            over_time(each.strategy, each.occupancy_series, facts.window, 100));
        fragmentation.lines.push_back(
            over_time(each.strategy, each.fragmentation_series, facts.window, 1));
        wait.lines.push_back(waits(each));
    }
    return svg_document(
        fmt::format("{}, {} jobs, {} racks of {} nodes, load {:.2f}", facts.workload, facts.jobs,
                    facts.racks, facts.nodes_per_rack, facts.load),
        {occupancy, fragmentation, wait});
}

}  // namespace nvl72block::replay
