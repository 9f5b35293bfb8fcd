// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/figures/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "replay/figures/line_chart.hpp"
#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

ChartLine over_time(const std::string& name, const Series& series, std::int64_t window,
                    double factor) {
    ChartLine line{name, {}};
    const double slice = static_cast<double>(window) / day / static_cast<double>(series.size());
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

/// A figure of each policy by load.
Chart by_load(const std::vector<Replay>& replays, const std::string& title, const std::string& unit,
              double Metrics::*figure, double factor) {
    Chart chart{title, "load", unit, 0, {}};
    const auto least = std::min_element(
        replays.begin(), replays.end(),
        [](const Replay& a, const Replay& b) { return a.facts.load < b.facts.load; });
    chart.x_min = std::floor(10 * least->facts.load) / 10;
    for (std::size_t i = 0; i < replays.front().metrics.size(); ++i) {
        ChartLine line{replays.front().metrics[i].strategy, {}};
        for (const Replay& replay : replays)
            line.points.emplace_back(replay.facts.load, replay.metrics[i].*figure * factor);
        chart.lines.push_back(std::move(line));
    }
    return chart;
}

std::string svg_by_load(const std::vector<Replay>& replays) {
    const ReplayFacts& facts = replays.front().facts;
    std::vector<Chart> charts;
    if (!facts.throughput.empty())
        charts.push_back(by_load(replays, "Useful GPU time (torn jobs: " + facts.throughput + ")",
                                 "percent", &Metrics::useful, 100));
    else
        charts.push_back(by_load(replays, "GPU occupancy", "percent", &Metrics::occupancy, 100));
    charts.push_back(by_load(replays,
                             fmt::format("Mean wait of jobs of {} nodes and more", large_job_nodes),
                             "hours", &Metrics::wait_large, 1 / seconds_an_hour));
    if (!facts.throughput.empty())
        charts.push_back(by_load(
            replays, fmt::format("Mean wait and run of jobs of {} nodes and more", large_job_nodes),
            "hours", &Metrics::turnaround_large, 1 / seconds_an_hour));
    return svg_document(fmt::format("{}, {} jobs, {} racks of {} nodes", facts.workload, facts.jobs,
                                    facts.racks, facts.nodes_per_rack),
                        charts);
}

std::string svg_over_time(const ReplayFacts& facts, const std::vector<Metrics>& metrics) {
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

}  // namespace

std::string replay_svg(const std::vector<Replay>& replays) {
    return replays.size() == 1 ? svg_over_time(replays.front().facts, replays.front().metrics)
                               : svg_by_load(replays);
}

}  // namespace nvl72block::replay
