// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/drawing/job_styles.hpp"
#include "cli/drawing/layout.hpp"
#include "cli/drawing/legend.hpp"
#include "cli/drawing/markup.hpp"
#include "cli/drawing/rack_drawing.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr int margin = 20;
constexpr int least_width = 640;
constexpr int line_height = 18;
constexpr int entry_width = 240;        // of a listed job
constexpr double text_character = 6.4;  // pixels at 12 pixels

/// `text` in lines of at most `most` characters, broken at blanks.
std::vector<std::string> wrapped(std::string_view text, std::size_t most) {
    std::vector<std::string> lines;
    while (text.size() > most) {
        std::size_t cut = text.rfind(' ', most);
        if (cut == std::string_view::npos || cut == 0) cut = text.find(' ', most);
        if (cut == std::string_view::npos) break;
        lines.emplace_back(text.substr(0, cut));
        text.remove_prefix(cut + 1);
    }
    lines.emplace_back(text);
    return lines;
}

/// A document that grows downwards.
class Page {
  public:
    Page(const Picture& picture, const Layout& layout)
        : picture_(picture),
          layout_(layout),
          styles_(job_styles(picture)),
          width_(std::max(layout.width(), least_width)) {}

    void heading() {
        y_ += line_height;
        body_ += fmt::format("<text class=\"hd\" x=\"0\" y=\"{}\">{}</text>\n", y_,
                             escaped(picture_.title));
        lines(picture_.facts);
        y_ += 8;
    }

    void lines(const std::vector<std::string>& texts) {
        const auto most = static_cast<std::size_t>(width_ / text_character);
        for (const std::string& text : texts)
            for (const std::string& line : wrapped(text, most)) {
                y_ += line_height;
                body_ += fmt::format("<text x=\"0\" y=\"{}\">{}</text>\n", y_, escaped(line));
            }
    }

    void state_legend() {
        const DrawnPart part = legend_of_states(picture_, styles_, width_, layout_.levels());
        add(part.svg, part.height);
    }

    void racks() {
        y_ += 14;
        // a page's script picks out what is in this group, and leaves the legend alone
        add("<g class=\"in\">\n" + racks_svg(picture_, layout_, styles_) + "</g>",
            layout_.height());
    }

    /// The largest jobs, in columns.
    void job_legend() {
        const std::vector<JobExtent> extents = job_extents(picture_);
        const std::vector<JobIndex> order = jobs_by_size(extents);
        const std::size_t shown = std::min(order.size(), most_listed_jobs);
        const std::size_t columns = std::max(1, width_ / entry_width);
        y_ += 10;
        for (std::size_t i = 0; i < shown; ++i) {
            if (i % columns == 0) y_ += line_height;
            job_entry(order[i], extents[order[i]], static_cast<int>(i % columns) * entry_width);
        }
        if (shown < order.size())
            lines({fmt::format("and {}", plural(order.size() - shown, "smaller job"))});
    }

    [[nodiscard]] std::string document(const char* id) const {
        return fmt::format(
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rk\"{0} width=\"{1}\" "
                   "height=\"{2}\" viewBox=\"-{3} -{4} {1} {2}\" role=\"img\" "
                   "aria-label=\"{5}\">\n<style>{6}</style>\n{7}"
                   "<path class=\"bg\" d=\"M-{3}-{4}h{1}v{2}h-{1}z\"/>\n",
                   id, width_ + 2 * margin, y_ + margin + margin / 2, margin, margin / 2,
                   escaped(picture_.title), drawing_style(), drawing_patterns()) +
               body_ + "</svg>\n";
    }

  private:
    void add(const std::string& svg, int height) {
        body_ += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", y_, svg);
        y_ += height;
    }

    void job_entry(JobIndex job, const JobExtent& extent, int x) {
        DrawnNode node;
        node.jobs = {job};
        body_ += sample_svg(node, {x, y_ - 11, 20, 13}, styles_);
        const std::string text =
            fmt::format("{}: {}, {}", shortened(picture_.jobs[job].name, 14),
                        plural(extent.nodes, "node"), plural(extent.racks, "rack"));
        body_ += fmt::format("<text class=\"j{}\" x=\"{}\" y=\"{}\">{}<title>{}</title></text>\n",
                             job, x + 26, y_, escaped(text),
                             escaped(picture_.jobs[job].name + ": " + picture_.jobs[job].note));
    }

    const Picture& picture_;
    const Layout& layout_;
    std::vector<JobStyle> styles_;
    int width_;
    int y_ = 0;
    std::string body_;
};

}  // namespace

std::string svg_document(const Picture& picture) {
    const Layout layout(picture);
    Page page(picture, layout);
    page.heading();
    page.state_legend();
    page.racks();
    page.job_legend();
    page.lines(picture.remarks);
    return page.document("");
}

std::string svg_part(const Picture& picture) {
    const Layout layout(picture);
    Page page(picture, layout);
    page.state_legend();
    page.racks();
    return page.document(" id=\"racks\"");
}

}  // namespace nvl72block::cli
