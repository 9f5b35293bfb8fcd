// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/learn/learn_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/json_line.hpp"
#include "cli/state/wall_clock.hpp"
#include "text/plural.hpp"
#include "text/seconds.hpp"

namespace nvl72block::cli {
namespace {

using Json = nlohmann::ordered_json;
using replay::SizeInLog;

constexpr std::size_t most_lines = 16;

double days_of(std::int64_t begin, std::int64_t end) {
    return static_cast<double>(end - begin) / day;
}

/// Of what counts now, how much this size has.
double recent_share(const Lesson& lesson, const SizeInLog& size) {
    const double all = lesson.log.history.amount(lesson.log.history.latest());
    return all > 0 ? size.recent_node_seconds / all : 0;
}

std::string line_of(const std::string& name, std::size_t jobs, double share,
                    const std::string& error, double recent) {
    return fmt::format("{:>14}{:>9}{:>12.1f} %{:>9}{:>10.1f} %\n", name, jobs, 100 * share, error,
                       100 * recent);
}

std::string sizes_text(const Lesson& lesson) {
    std::string text = fmt::format("{:>14}{:>9}{:>14}{:>9}{:>12}\n", "nodes per slot", "jobs",
                                   "of node time", "error", "recently");
    const std::vector<SizeInLog>& sizes = lesson.log.sizes;
    const std::size_t shown = std::min(sizes.size(), most_lines);
    for (std::size_t i = 0; i < shown; ++i)
        text += line_of(fmt::format("{}", sizes[i].nodes), sizes[i].jobs, sizes[i].share,
                        fmt::format("± {:.1f}", 100 * sizes[i].standard_error),
                        recent_share(lesson, sizes[i]));
    SizeInLog rest;
    double recent = 0;
    for (std::size_t i = shown; i < sizes.size(); ++i) {
        rest.jobs += sizes[i].jobs;
        rest.share += sizes[i].share;
        recent += recent_share(lesson, sizes[i]);
    }
    if (rest.jobs > 0) text += line_of("others", rest.jobs, rest.share, "", recent);
    return text;
}

std::string cluster_text(const Lesson::Cluster& cluster) {
    return fmt::format("In this cluster the history is {:.1f} days of all {}.\n", cluster.days,
                       plural(cluster.nodes, "node"));
}

Json size_json(const Lesson& lesson, const SizeInLog& size) {
    return {{"nodes", size.nodes},
            {"jobs", size.jobs},
            {"node_days", size.node_seconds / day},
            {"share", size.share},
            {"share_standard_error", size.standard_error},
            {"recent_share", recent_share(lesson, size)}};
}

}  // namespace

std::string lesson_text(const Lesson& lesson) {
    const replay::LogHistory& log = lesson.log;
    const DemandHistory& history = log.history;
    std::string text = fmt::format(
        "{} in {:.1f} days, {} to {}: {:.1f} node-days\n"
        "recently, halved every {:.0f} days: {:.1f} node-days\n\n",
        plural(log.jobs, "job"), days_of(log.begin, log.end), time_text(log.begin),
        time_text(log.end), log.node_seconds / day, DemandHistory::default_half_life / day,
        history.amount(history.latest()) / day);
    text += sizes_text(lesson) + '\n';
    if (lesson.cluster) text += cluster_text(*lesson.cluster);
    text += fmt::format("Nvl72Demand=auto would keep slots of {}.\n", to_string(lesson.keeps));
    if (!lesson.output.empty()) text += fmt::format("{} is written.\n", lesson.output);
    return text;
}

std::string lesson_json(const Lesson& lesson) {
    const replay::LogHistory& log = lesson.log;
    Json json = {{"jobs", log.jobs},
                 {"not_run", lesson.not_run},
                 {"listed_again", lesson.listed_again},
                 {"begin", time_text(log.begin)},
                 {"end", time_text(log.end)},
                 {"days", days_of(log.begin, log.end)},
                 {"node_days", log.node_seconds / day},
                 {"recent_node_days", log.history.amount(log.history.latest()) / day},
                 {"keeps", to_string(lesson.keeps)},
                 {"nodes_in_cluster", nullptr},
                 {"days_of_all_nodes", nullptr},
                 {"output", lesson.output.empty() ? Json(nullptr) : Json(lesson.output)},
                 {"sizes", Json::array()}};
    if (lesson.cluster)
        json.update({{"nodes_in_cluster", lesson.cluster->nodes},
                     {"days_of_all_nodes", lesson.cluster->days}});
    for (const SizeInLog& size : log.sizes) json["sizes"].push_back(size_json(lesson, size));
    return json_line(json);
}

}  // namespace nvl72block::cli
