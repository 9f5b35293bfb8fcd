// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/capacity/capacity_report.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_listed = 5;

std::vector<std::string> block_names(const ClusterState& state, const Repair& repair) {
    std::vector<std::string> names;
    for (const BlockIndex block : repair.blocks)
        names.push_back(state.topology().block_name(block));
    return names;
}

std::vector<std::string> job_labels(const Repair& repair) {
    std::vector<std::string> labels;
    for (const JobRecord* job : repair.jobs) labels.push_back(job->label());
    return labels;
}

void add_gain(std::vector<std::string>& gains, std::uint32_t count, std::uint32_t size,
              const char* when) {
    if (count > 0)
        gains.push_back(
            fmt::format("{} more segment{} of {}{}", count, count == 1 ? "" : "s", size, when));
}

/// Of the sizes the largest, and of those that only gain later the largest of these.
std::vector<std::string> gains_of(const Repair& repair) {
    constexpr const char* later = " when its jobs have ended";
    std::vector<std::string> gains;
    std::vector<std::string> labels = job_labels(repair);
    if (labels.size() > most_listed) labels.resize(most_listed);
    if (!labels.empty())
        gains.push_back(fmt::format("job{} {}{} would start", repair.jobs.size() == 1 ? "" : "s",
                                    fmt::join(labels, ", "),
                                    repair.jobs.size() > labels.size() ? ", ..." : ""));
    const auto now =
        std::ranges::find_if(repair.segments, [](const SegmentGain& each) { return each.now > 0; });
    if (now != repair.segments.end()) add_gain(gains, now->now, now->size, " now");
    const auto then = std::ranges::find_if(
        repair.segments, [](const SegmentGain& each) { return each.later > each.now; });
    if (then != now && then != repair.segments.end())
        add_gain(gains, then->later, then->size, later);
    if (repair.whole_now > 0) {
        gains.push_back(plural(repair.whole_now, "whole base block") + " now");
    } else if (repair.whole_later > 0) {
        gains.push_back(plural(repair.whole_later, "whole base block") + later);
    }
    return gains;
}

}  // namespace

std::string repairs_text(const ClusterState& state, const std::vector<Repair>& repairs) {
    if (repairs.empty()) return "";
    std::string text = "\nrepair first, by what each return makes possible:\n";
    const std::size_t listed = std::min(most_listed, repairs.size());
    for (const Repair& each : std::span(repairs).first(listed))
        text +=
            fmt::format("  {} in {}: {}\n", state.cluster.nodes.hostlist(each.nodes),
                        fmt::join(block_names(state, each), ", "), fmt::join(gains_of(each), "; "));
    if (repairs.size() > listed)
        text += fmt::format("  and {} less useful (--json)\n", repairs.size() - listed);
    return text;
}

Json repairs_json(const ClusterState& state, const std::vector<Repair>& repairs) {
    Json all = Json::array();
    for (const Repair& each : repairs) {
        Json segments = Json::array();
        for (const SegmentGain& gain : each.segments)
            segments.push_back({{"size", gain.size}, {"now", gain.now}, {"later", gain.later}});
        all.push_back({{"nodes", state.cluster.nodes.hostlist(each.nodes)},
                       {"blocks", block_names(state, each)},
                       {"jobs", job_labels(each)},
                       {"segments", std::move(segments)},
                       {"whole_now", each.whole_now},
                       {"whole_later", each.whole_later}});
    }
    return all;
}

}  // namespace nvl72block::cli
