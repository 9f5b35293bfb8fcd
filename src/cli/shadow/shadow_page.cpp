// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/shadow/shadow_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/drawing/html_script.hpp"
#include "cli/drawing/markup.hpp"
#include "cli/drawing/picture.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/shadow/shadow_report.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t drawn = 5;
constexpr JobIndex block_job = 0;
constexpr JobIndex our_job = 1;

DrawnNode drawn_node(const ShadowDecision& decision, NodeIndex node) {
    DrawnNode result;
    result.name = fmt::format("node {}", node);
    if (decision.block && decision.block->test(node)) result.jobs.push_back(block_job);
    if (decision.ours && decision.ours->test(node)) result.jobs.push_back(our_job);
    result.busy = !result.jobs.empty() || !decision.idle.test(node);
    return result;
}

Picture picture_of(const ShadowDecision& decision) {
    Picture picture;
    picture.jobs = {{"topology/block", ""}, {"nvl72block", ""}};
    for (std::size_t block = 0; block < decision.topology->blocks.size(); ++block) {
        DrawnRack rack;
        rack.name = fmt::format("rack {}", block + 1);
        decision.topology->blocks[block].for_each(
            [&](NodeIndex node) { rack.nodes.push_back(drawn_node(decision, node)); });
        picture.racks.push_back(std::move(rack));
    }
    return picture;
}

/// Several drawings on one page have ids of their own.
std::string numbered(std::string svg, std::size_t number) {
    const std::string id = "id=\"racks\"";
    if (const std::size_t at = svg.find(id); at != std::string::npos)
        svg.replace(at, id.size(), fmt::format("id=\"racks{}\"", number));
    return svg;
}

std::string figures_table(const ShadowFile& file, const ShadowSummary& summary) {
    std::string html = "<div class=\"jobs\"><table><tbody>\n";
    for (const auto& [name, value] : shadow_figures(file, summary))
        html += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(name), escaped(value));
    return html + "</tbody></table></div>\n";
}

std::string listed(const ShadowFile& file, const std::vector<std::size_t>& numbers,
                   std::string_view title) {
    if (numbers.empty()) return "";
    std::string html = fmt::format("<h2>{}</h2>\n", title);
    for (const std::size_t number : numbers)
        html += fmt::format("<p>{}</p>\n", escaped(decision_line(file, number)));
    return html;
}

}  // namespace

std::string shadow_page(const ShadowFile& file, const ShadowSummary& summary) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
        "nvl72block beside topology/block", page_style);
    html += figures_table(file, summary);
    html += listed(file, summary.ours_holds, "Started by topology/block, held by nvl72block");
    html += listed(file, summary.unlike,
                   "Held by nvl72block, started by topology/block unlike the request");
    html += listed(file, summary.held, "Held by topology/block, placed by nvl72block");
    if (!summary.worst_racks.empty()) html += "<h2>The largest differences in racks</h2>\n";
    for (std::size_t i = 0; i < std::min(summary.worst_racks.size(), drawn); ++i) {
        const std::size_t number = summary.worst_racks[i];
        html += fmt::format("<p>{}</p>\n<div class=\"drawing\">\n{}</div>\n",
                            escaped(decision_line(file, number)),
                            numbered(svg_part(picture_of(file.decisions[number])), i));
    }
    html += "<h2>What this comparison leaves open</h2>\n";
    for (const std::string& limit : shadow_limits())
        html += fmt::format("<p>{}</p>\n", escaped(limit));
    return html + "</main>\n</body>\n</html>\n";
}

}  // namespace nvl72block::cli
