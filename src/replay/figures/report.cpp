// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/figures/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text/plural.hpp"
#include "text/printable.hpp"
#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

using Json = nlohmann::ordered_json;

std::string facts_text(const ReplayFacts& facts) {
    std::string text = fmt::format(
        "{}: {} in {:.1f} days (arrival times x {:.4f}, offered load {:.2f}, seed {})\n",
        facts.workload, plural(facts.jobs, "job"), static_cast<double>(facts.window) / day,
        fmt::join(facts.time_scale, " and "), facts.load, facts.seed);
    if (facts.warm_jobs != 0)
        text +=
            fmt::format("{} before, simulated and not measured\n", plural(facts.warm_jobs, "job"));
    if (facts.too_large != 0)
        text +=
            fmt::format("left out, larger than the cluster: {}\n", plural(facts.too_large, "job"));
    if (facts.runs > 1)
        text += fmt::format("means of {} runs, seeds {} to {}; the above is the first\n",
                            facts.runs, facts.seed, facts.seed + facts.runs - 1);
    text += fmt::format("{} racks of {} nodes, {} nodes in service, BlockSizes={}\n", facts.racks,
                        facts.nodes_per_rack, facts.in_service, fmt::join(facts.block_sizes, ","));
    text +=
        fmt::format("segments by rule \"{}\", {} time limits, backfill with {}\n",
                    facts.segment_rule, facts.limits, plural(facts.reservations, "reservation"));
    if (!facts.throughput.empty()) text += fmt::format("torn jobs: {}\n", facts.throughput);
    return text + '\n';
}

/// Of a strategy under which no job had segments there is no share to report.
std::string segments_text(const Metrics& metrics) {
    if (metrics.segmented_jobs == 0) return "-";
    return fmt::format("{:.1f}%", 100 * metrics.segments_whole);
}

std::string metrics_line(const Metrics& metrics) {
    return fmt::format(
        "{:<12}{:>8.1f}%{:>10.2f}{:>10.2f}{:>10.2f}{:>10}{:>8.3f}{:>10.1f}{:>10.1f}{:>9.1f}%\n",
        metrics.strategy, 100 * metrics.occupancy, metrics.wait_large / seconds_an_hour,
        metrics.wait_large_p95 / seconds_an_hour, metrics.wait_all / seconds_an_hour,
        segments_text(metrics), metrics.racks_over_least, metrics.fragmentation_usable,
        metrics.fragmentation_stock, 100 * metrics.free_in_whole_racks);
}

/// What tearing costs: a table of its own, as the first one fills a line.
std::string throughput_text(const std::vector<Metrics>& metrics) {
    constexpr const char* heading = "\n{:<12}{:>9}{:>10}{:>14}{:>12}{:>10}{:>10}";
    std::string text =
        fmt::format(heading, "", "useful", "lost to", "lost", "turnaround", "torn", "failed");
    text += fmt::format(heading, "policy", "GPU time", "placement", "GPU hours", "large, h", "jobs",
                        "jobs");
    text += '\n';
    for (const Metrics& each : metrics)
        text += fmt::format("{:<12}{:>8.1f}%{:>9.1f}%{:>14.0f}{:>12.2f}{:>10}{:>10}\n",
                            each.strategy, 100 * each.useful, 100 * (each.occupancy - each.useful),
                            each.lost_gpu_hours, each.turnaround_large / seconds_an_hour,
                            each.torn_jobs, each.failed_jobs);
    return text;
}

Json facts_json(const ReplayFacts& facts) {
    return {{"workload", facts.workload},
            {"jobs", facts.jobs},
            {"warm_jobs", facts.warm_jobs},
            {"too_large", facts.too_large},
            {"racks", facts.racks},
            {"nodes_per_rack", facts.nodes_per_rack},
            {"in_service", facts.in_service},
            {"block_sizes", facts.block_sizes},
            {"segment_rule", facts.segment_rule},
            {"limits", facts.limits},
            {"throughput", facts.throughput.empty() ? Json(nullptr) : Json(facts.throughput)},
            {"seed", facts.seed},
            {"runs", facts.runs},
            {"reservations", facts.reservations},
            {"time_scale", facts.time_scale},
            {"load", facts.load},
            {"window_seconds", facts.window}};
}

Json metrics_json(const Metrics& metrics, bool throughput) {
    Json json = {{"name", metrics.strategy},
                 {"occupancy", metrics.occupancy},
                 {"wait_large_mean_seconds", metrics.wait_large},
                 {"wait_large_standard_error_seconds", metrics.wait_large_error},
                 {"wait_large_p95_seconds", metrics.wait_large_p95},
                 {"large_jobs", metrics.large_waits.size()},
                 {"wait_mean_seconds", metrics.wait_all},
                 {"segments_whole",
                  metrics.segmented_jobs != 0 ? Json(metrics.segments_whole) : Json(nullptr)},
                 {"segmented_jobs", metrics.segmented_jobs},
                 {"racks_over_least", metrics.racks_over_least},
                 {"fragmentation_usable", metrics.fragmentation_usable},
                 {"fragmentation_stock", metrics.fragmentation_stock},
                 {"free_in_whole_racks", metrics.free_in_whole_racks},
                 {"refused", metrics.refused},
                 {"makespan_seconds", metrics.makespan}};
    if (throughput)
        json.update({{"useful", metrics.useful},
                     {"useful_standard_error", metrics.useful_error},
                     {"lost_gpu_hours", metrics.lost_gpu_hours},
                     {"turnaround_large_mean_seconds", metrics.turnaround_large},
                     {"torn_jobs", metrics.torn_jobs},
                     {"failed_jobs", metrics.failed_jobs}});
    return json;
}

}  // namespace

std::string report_text(const ReplayFacts& facts, const std::vector<Metrics>& metrics) {
    std::string text = facts_text(facts);
    constexpr const char* heading = "{:<12}{:>9}{:>10}{:>10}{:>10}{:>10}{:>8}{:>10}{:>10}{:>10}\n";
    text += fmt::format(heading, "", "GPU", "wait of", "large job", "wait, all", "segments",
                        "racks /", "fragment.", "fragment.", "free in");
    text += fmt::format(heading, "policy", "occup.", "mean h", "p95 h", "mean h", "whole", "least",
                        "usable", "stock", "whole r.");
    for (const Metrics& each : metrics) text += metrics_line(each);
    if (!facts.throughput.empty()) text += throughput_text(metrics);
    for (const Metrics& each : metrics)
        if (each.refused != 0)
            text += fmt::format("{}: {} jobs refused: they do not fit even on the empty cluster\n",
                                each.strategy, each.refused);
    return text;
}

std::string report_json(const ReplayFacts& facts, const std::vector<Metrics>& metrics) {
    Json json = facts_json(facts);
    json["policies"] = Json::array();
    for (const Metrics& each : metrics)
        json["policies"].push_back(metrics_json(each, !facts.throughput.empty()));
    return printable(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace nvl72block::replay
