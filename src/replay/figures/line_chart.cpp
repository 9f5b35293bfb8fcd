// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/figures/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "text/xml.hpp"

namespace nvl72block::replay {
namespace {

constexpr double page_width = 960;
constexpr double chart_height = 300;
constexpr double plot_left = 70, plot_top = 46;
constexpr double plot_width = 860, plot_height = 200;
constexpr double heading_height = 64;

struct LineStyle {
    const char* color;
    const char* dashes;
    double width;
};

/// Okabe and Ito's palette, which colour-blind people can tell apart; dashes for prints.
constexpr std::array<LineStyle, 6> styles = {{
    {"#0072b2", "none", 2.2},
    {"#d55e00", "none", 1.6},
    {"#009e73", "6 3", 1.6},
    {"#cc79a7", "2 3", 1.6},
    {"#767676", "9 3 2 3", 1.4},
    {"#e69f00", "4 4", 1.4},
}};

const LineStyle& style_of(std::size_t line) {
    return styles[line % styles.size()];
}

/// A step of 1, 2 or 5 times a power of ten that cuts `range` into at most `parts`.
double tick_step(double range, int parts) {
    if (range <= 0) return 1;
    const double rough = range / parts;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

/// Multiples of a round step from `begin` to `end`, at most `parts` steps.
std::vector<double> ticks(double begin, double end, int parts) {
    constexpr double tolerance = 1e-9;
    const double step = tick_step(end - begin, parts);
    std::vector<double> values;
    for (double i = std::ceil(begin / step - tolerance); i * step <= end + step * tolerance; ++i)
        values.push_back(i * step + 0.0);  // no -0
    return values;
}

/// From data to the page.
struct Scale {
    double x_min = 0, x_max = 1;
    double y_max = 1;
    double top = 0;

    [[nodiscard]] double x(double value) const {
        return plot_left + (value - x_min) / (x_max - x_min) * plot_width;
    }
    [[nodiscard]] double y(double value) const {
        return top + plot_height - std::min(value, y_max) / y_max * plot_height;
    }
};

Scale make_scale(const Chart& chart, double top) {
    Scale scale;
    scale.top = top;
    scale.x_min = chart.x_min;
    double x_max = chart.x_min, y_max = 0;
    for (const ChartLine& line : chart.lines)
        for (const auto& [x, y] : line.points) {
            x_max = std::max(x_max, x);
            y_max = std::max(y_max, y);
        }
    scale.x_max = x_max > scale.x_min ? x_max : scale.x_min + 1;
    if (y_max > 0) scale.y_max = std::ceil(y_max / tick_step(y_max, 5)) * tick_step(y_max, 5);
    if (chart.y_max > 0) scale.y_max = chart.y_max;
    return scale;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const char* extra = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                       anchor, extra, escaped(text));
}

std::string grid(const Scale& scale) {
    std::string svg;
    for (const double tick : ticks(0, scale.y_max, 5)) {
        const double y = scale.y(tick);
        svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.0f}\"/>\n", plot_left, y,
                           plot_width);
        svg += text_at(plot_left - 8, y + 4, "end", fmt::format("{:g}", tick));
    }
    for (const double tick : ticks(scale.x_min, scale.x_max, 10)) {
        const double x = scale.x(tick);
        svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}v{:.0f}\"/>\n", x, scale.top,
                           plot_height);
        svg += text_at(x, scale.top + plot_height + 18, "middle", fmt::format("{:g}", tick));
    }
    return svg;
}

std::string polyline(const ChartLine& line, const Scale& scale, const LineStyle& style) {
    std::string points;
    for (const auto& [x, y] : line.points)
        points += fmt::format("{:.1f},{:.1f} ", scale.x(x), scale.y(y));
    return fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{}\" "
        "stroke-linejoin=\"round\" points=\"{}\"/>\n",
        style.color, style.width, style.dashes, points);
}

std::string chart_svg(const Chart& chart, double top) {
    const Scale scale = make_scale(chart, top + plot_top);
    std::string svg = text_at(plot_left, top + 30, "start", chart.title, " class=\"title\"");
    svg += grid(scale);
    svg += text_at(plot_left + plot_width, scale.top + plot_height + 36, "end", chart.x_label);
    svg += text_at(plot_left + plot_width, scale.top - 8, "end", chart.y_label);
    for (std::size_t i = chart.lines.size(); i-- > 0;)  // the first line is drawn on top
        svg += polyline(chart.lines[i], scale, style_of(i));
    return svg;
}

std::string legend(const Chart& chart) {
    std::string svg;
    double x = plot_left;
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const LineStyle& style = style_of(i);
        svg += fmt::format(
            "<path d=\"M{:.1f} 52h34\" stroke=\"{}\" stroke-width=\"{}\" "
            "stroke-dasharray=\"{}\"/>\n",
            x, style.color, style.width + 0.6, style.dashes);
        svg += text_at(x + 40, 56, "start", chart.lines[i].name);
        x += 64 + 8.0 * static_cast<double>(chart.lines[i].name.size());
    }
    return svg;
}

}  // namespace

std::string svg_document(const std::string& title, const std::vector<Chart>& charts) {
    const double height = heading_height + chart_height * static_cast<double>(charts.size());
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"13\" "
        "fill=\"#222\">\n",
        page_width, height);
    svg +=
        "<style>.grid{stroke:#ddd;stroke-width:1}.title{font-weight:bold;font-size:15px}</style>\n"
        "<style>@media (prefers-color-scheme:dark){svg{fill:#ddd}.page{fill:#16181d}"
        ".grid{stroke:#3a3d44}}</style>\n"
        "<rect class=\"page\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    svg += text_at(plot_left, 28, "start", title, " class=\"title\"");
    if (!charts.empty()) svg += legend(charts.front());
    double top = heading_height;
    for (const Chart& chart : charts) {
        svg += chart_svg(chart, top);
        top += chart_height;
    }
    return svg + "</svg>\n";
}

}  // namespace nvl72block::replay
