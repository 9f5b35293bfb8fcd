// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/html.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/drawing/html_script.hpp"
#include "cli/drawing/job_styles.hpp"
#include "cli/drawing/markup.hpp"
#include "cli/drawing/rack_drawing.hpp"
#include "cli/drawing/svg.hpp"

namespace nvl72block::cli {
namespace {

std::string paragraphs(const std::vector<std::string>& lines) {
    std::string html;
    for (const std::string& line : lines) html += fmt::format("<p>{}</p>\n", escaped(line));
    return html;
}

std::string job_row(const Picture& picture, JobIndex job, const JobExtent& extent,
                    const std::vector<JobStyle>& styles) {
    DrawnNode node;
    node.jobs = {job};
    return fmt::format(
        "<tr data-job=\"{}\" tabindex=\"0\"><td><svg class=\"rk\" width=\"24\" height=\"14\" "
        "aria-hidden=\"true\">{}</svg></td><td>{}</td><td class=\"num\">{}</td>"
        "<td class=\"num\">{}</td><td>{}</td></tr>\n",
        job, sample_svg(node, {1, 1, 22, 12}, styles), escaped(picture.jobs[job].name),
        extent.nodes, extent.racks, escaped(picture.jobs[job].note));
}

std::string job_table(const Picture& picture) {
    if (picture.jobs.empty()) return "";
    const std::vector<JobStyle> styles = job_styles(picture);
    const std::vector<JobExtent> extents = job_extents(picture);
    std::string html =
        "<div class=\"jobs\"><table><thead><tr><th></th><th>job</th><th class=\"num\">nodes</th>"
        "<th class=\"num\">racks</th><th></th></tr></thead><tbody>\n";
    for (const JobIndex job : jobs_by_size(extents))
        html += job_row(picture, job, extents[job], styles);
    return html + "</tbody></table></div>\n";
}

std::string jobs_json(const Picture& picture) {
    nlohmann::ordered_json jobs = nlohmann::ordered_json::array();
    for (const DrawnJob& job : picture.jobs)
        jobs.push_back({{"name", job.name}, {"note", job.note}});
    return script_json(jobs);
}

}  // namespace

std::string html_page(const Picture& picture) {
    return fmt::format(
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
               "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
               "<meta name=\"viewport\" content=\"width=device-width\">\n"
               "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{2}",
               escaped(picture.title), page_style, paragraphs(picture.facts)) +
           "<form><label for=\"filter\">Show nodes with</label>"
           "<input id=\"filter\" type=\"search\" autocomplete=\"off\" "
           "placeholder=\"a job, user, rack, node or state\">"
           "<output id=\"found\" for=\"filter\"></output></form>\n<div class=\"drawing\">\n" +
           svg_part(picture) + "</div>\n" + job_table(picture) + paragraphs(picture.remarks) +
           "</main>\n<div id=\"tip\" role=\"tooltip\" hidden></div>\n"
           "<script type=\"application/json\" id=\"jobs\">" +
           jobs_json(picture) + "</script>\n<script>" + page_script +
           "</script>\n</body>\n</html>\n";
}

}  // namespace nvl72block::cli
