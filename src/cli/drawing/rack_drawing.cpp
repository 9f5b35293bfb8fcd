// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/rack_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/drawing/markup.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t most_slices = 4;    // jobs shown on one node
constexpr int label_character = 7;        // width at 11 pixels
constexpr int small_label_character = 6;  // at 9 pixels
constexpr int bracket_drop = 4;

std::string rectangle(const Box& box) {
    return fmt::format("M{} {}h{}v{}h-{}z", box.x, box.y, box.width, box.height, box.width);
}

/// The part of `box` that slice `index` of `count` takes.
Box slice_of(const Box& box, std::size_t index, std::size_t count) {
    const int begin = box.width * static_cast<int>(index) / static_cast<int>(count);
    const int end = box.width * static_cast<int>(index + 1) / static_cast<int>(count);
    return {box.x + begin, box.y, end - begin, box.height};
}

/// Collects what is drawn on top of the nodes, so that each kind is one element.
struct Overlays {
    std::string crosses;
    std::string job_crosses;    // on colours
    std::string light_crosses;  // on dark nodes
    std::string corners;
    std::string dots;
    std::string job_dots;  // on colours
    std::string slices;
    std::vector<std::string> bands;  // by job

    explicit Overlays(std::size_t jobs) : bands(jobs) {}
};

void add_cross(const Box& box, std::string& path) {
    const int inset = std::min(box.height, box.width) >= 10 ? 2 : 1;
    const int width = std::min(box.width - 2 * inset, 3 * box.height);
    const int left = box.x + (box.width - width) / 2;
    const int height = box.height - 2 * inset;
    path += fmt::format("M{0} {1}l{2} {3}m0-{3}l-{2} {3}", left, box.y + inset, width, height);
}

void add_corner(const Box& box, std::string& path) {
    const int side = std::clamp(box.height * 2 / 3, 4, 10);
    path += fmt::format("M{} {}h-{}l{} {}z", box.right(), box.y, side, side, side);
}

void add_dot(const Box& box, std::string& path) {
    const int radius = std::clamp(box.height / 4, 2, 4);
    path += fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0-{3} 0z",
                        box.x + box.width / 2 - radius, box.y + box.height / 2, radius, 2 * radius);
}

void add_marks(const DrawnNode& node, const Box& box, Overlays& overlays) {
    std::string& crosses = !node.jobs.empty()            ? overlays.job_crosses
                           : node.mark == NodeMark::down ? overlays.light_crosses
                                                         : overlays.crosses;
    if (node.mark == NodeMark::drained || node.mark == NodeMark::down) add_cross(box, crosses);
    if (node.mark == NodeMark::unavailable)
        add_dot(box, node.jobs.empty() ? overlays.dots : overlays.job_dots);
    if (node.reserved) add_corner(box, overlays.corners);
}

/// Whether the job's colour is the node's, and no slices are needed.
bool is_filled(const DrawnNode& node) {
    return node.jobs.size() == 1 && !node.partly;
}

void add_jobs(const DrawnNode& node, const Box& box, const std::vector<JobStyle>& styles,
              Overlays& overlays) {
    const std::size_t shown = std::min(node.jobs.size(), most_slices);
    const std::size_t parts = shown + (node.partly ? 1 : 0);
    for (std::size_t i = 0; i < shown; ++i) {
        const JobIndex job = node.jobs[i];
        const Box part = slice_of(box, i, std::max<std::size_t>(parts, 1));
        if (!is_filled(node))
            overlays.slices += fmt::format("<path class=\"o c{} j{}\" d=\"{}\"/>\n",
                                           styles[job].color, job, rectangle(part));
        if (styles[job].banded)
            overlays.bands[job] += rectangle(
                {part.x, part.y + part.height * 2 / 5, part.width, std::max(2, part.height / 5)});
    }
}

std::string node_classes(const DrawnNode& node, const std::vector<JobStyle>& styles) {
    std::string classes = "n";
    if (is_filled(node))
        classes += fmt::format(" c{}", styles[node.jobs.front()].color);
    else if (node.jobs.empty() && node.busy)
        classes += " b";
    else if (node.jobs.empty() && node.mark == NodeMark::down)
        classes += " d";
    for (const JobIndex job : node.jobs) classes += fmt::format(" j{}", job);
    return classes;
}

void add_path(const char* classes, const std::string& path, std::string& svg) {
    if (!path.empty()) svg += fmt::format("<path class=\"o {}\" d=\"{}\"/>\n", classes, path);
}

std::string overlays_svg(const Overlays& overlays) {
    std::string svg = overlays.slices;
    for (std::size_t job = 0; job < overlays.bands.size(); ++job)
        add_path(fmt::format("k j{}", job).c_str(), overlays.bands[job], svg);
    add_path("x", overlays.crosses, svg);
    add_path("x z", overlays.job_crosses, svg);
    add_path("x l", overlays.light_crosses, svg);
    add_path("u", overlays.dots, svg);
    add_path("u z", overlays.job_dots, svg);
    add_path("r", overlays.corners, svg);
    return svg;
}

std::string name_svg(const DrawnRack& rack, const Box& box, const Layout& layout) {
    const std::string name = escaped(shortened(rack.name, Layout::longest_name));
    const std::string title = escaped(rack.name);
    const int y = box.y + layout.name_height() - 4;
    if (layout.names_upright())
        return fmt::format("<text class=\"s\" x=\"{}\" y=\"{}\">{}<title>{}</title></text>\n",
                           box.x, y, name, title);
    const int x = box.x + box.width / 2 + 4;
    return fmt::format(
        "<text class=\"s\" transform=\"translate({} {}) rotate(-90)\">{}<title>{}</title></text>\n",
        x, y, name, title);
}

// ---- Labels: the name of a job on its nodes, once for each run of them in a rack ----------------

struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Nodes of a rack that one job has for itself, one below the other.
Run run_from(const DrawnRack& rack, const Layout& layout, std::size_t rack_index,
             std::size_t begin) {
    std::size_t end = begin + 1;
    const DrawnNode& first = rack.nodes[begin];
    if (first.jobs.size() != 1) return {begin, end};
    const int x = layout.node(rack_index, begin).x;
    while (end < rack.nodes.size() && rack.nodes[end].jobs == first.jobs &&
           layout.node(rack_index, end).x == x)
        ++end;
    return {begin, end};
}

/// The longest part of a run without marks, which a label would hide.
Run unmarked_part(const DrawnRack& rack, const Run& run) {
    Run best{run.begin, run.begin};
    for (std::size_t begin = run.begin; begin < run.end;) {
        std::size_t end = begin;
        while (end < run.end && rack.nodes[end].mark == NodeMark::none && !rack.nodes[end].partly)
            ++end;
        if (end - begin > best.end - best.begin) best = {begin, end};
        begin = end + 1;
    }
    return best;
}

/// `middle` is the node in the middle of `box`.
std::string label_svg(const std::string& name, JobIndex job, const JobStyle& style, const Box& box,
                      const Box& middle) {
    const int characters = static_cast<int>(character_count(name));
    const int x = box.x + box.width / 2;
    const char* ink = job_colors[style.color].dark ? "w" : "a";
    if (middle.height >= 12 && characters * label_character <= box.width - 4)
        return fmt::format("<text class=\"o {} j{}\" x=\"{}\" y=\"{}\">{}</text>\n", ink, job, x,
                           middle.y + middle.height / 2 + 4, escaped(name));
    if (box.width < 11 || characters * small_label_character > box.height - 4) return "";
    return fmt::format(
        "<text class=\"o {} e j{}\" transform=\"translate({} {}) rotate(-90)\">{}</text>\n", ink,
        job, x + 3, box.y + box.height / 2, escaped(name));
}

std::string labels_svg(const Picture& picture, const Layout& layout, std::size_t index,
                       const std::vector<JobStyle>& styles) {
    const DrawnRack& rack = picture.racks[index];
    std::string svg;
    for (std::size_t begin = 0; begin < rack.nodes.size();) {
        const Run run = run_from(rack, layout, index, begin);
        begin = run.end;
        if (rack.nodes[run.begin].jobs.size() != 1) continue;
        const Run part = unmarked_part(rack, run);
        if (part.begin == part.end) continue;
        Box box = layout.node(index, part.begin);
        box.height = layout.node(index, part.end - 1).bottom() - box.y;
        const JobIndex job = rack.nodes[run.begin].jobs.front();
        svg += label_svg(picture.jobs[job].name, job, styles[job], box,
                         layout.node(index, (part.begin + part.end - 1) / 2));
    }
    return svg;
}

// ---- Cliques and brackets
// ------------------------------------------------------------------------

std::string cliques_svg(const DrawnRack& rack, std::size_t index, const Layout& layout) {
    std::string svg;
    for (std::size_t begin = 0; begin < rack.nodes.size();) {
        const RackClique clique = rack.nodes[begin].clique;
        Box box = layout.node(index, begin);
        std::size_t end = begin + 1;
        while (end < rack.nodes.size() && rack.nodes[end].clique == clique &&
               layout.node(index, end).x == box.x)
            ++end;
        box.height = layout.node(index, end - 1).bottom() - box.y;
        box.x -= layout.clique_width();
        box.width = layout.clique_width() - 2;
        if (clique != no_rack_clique) svg += clique_bar_svg(clique, box);
        begin = end;
    }
    return svg;
}

/// One bracket per block of a level, and per row of racks if the block is longer than that.
std::string brackets_svg(const Picture& picture, const Layout& layout) {
    std::size_t racks = picture.racks.size();
    while (racks > 0 && picture.racks[racks - 1].outside) --racks;
    std::string svg;
    for (std::size_t level = 0; level < layout.levels(); ++level) {
        const std::size_t joined = picture.levels[level].racks;
        std::string path;
        for (std::size_t first = 0; first < racks;) {
            const std::size_t block_end = (first / joined + 1) * joined;
            const std::size_t row_end =
                (first / layout.racks_per_row() + 1) * layout.racks_per_row();
            const std::size_t last = std::min({block_end, row_end, racks});
            const Box box = layout.bracket(level, first, last);
            const bool begins = first % joined == 0;
            const bool ends = last % joined == 0 || last == racks;
            path += begins ? fmt::format("M{} {}v-{}", box.x, box.y + bracket_drop, bracket_drop)
                           : fmt::format("M{} {}", box.x, box.y);
            path += fmt::format("h{}", box.width);
            if (ends) path += fmt::format("v{}", bracket_drop);
            first = last;
        }
        svg += fmt::format("<path class=\"g\" d=\"{}\"/>\n", path);
    }
    return svg;
}

}  // namespace

std::string clique_bar_svg(RackClique clique, const Box& box) {
    constexpr std::array shapes = {"q", "q h", "q t"};
    return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", shapes[clique % shapes.size()],
                       rectangle(box));
}

std::string sample_svg(const DrawnNode& node, const Box& box, const std::vector<JobStyle>& styles) {
    Overlays overlays(styles.size());
    add_jobs(node, box, styles, overlays);
    add_marks(node, box, overlays);
    std::string classes = node_classes(node, styles);
    classes.front() = 'm';  // looks the same, but is no node of the drawing
    return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", classes, rectangle(box)) +
           overlays_svg(overlays);
}

std::string racks_svg(const Picture& picture, const Layout& layout,
                      const std::vector<JobStyle>& styles) {
    std::string svg = brackets_svg(picture, layout);
    std::string labels;
    Overlays overlays(styles.size());
    for (std::size_t i = 0; i < picture.racks.size(); ++i) {
        const DrawnRack& rack = picture.racks[i];
        // columns of nodes outside of blocks share their name
        if (!rack.outside || i == 0 || !picture.racks[i - 1].outside)
            svg += name_svg(rack, layout.rack(i), layout);
        if (layout.clique_width() > 0) svg += cliques_svg(rack, i, layout);
        for (std::size_t n = 0; n < rack.nodes.size(); ++n) {
            const DrawnNode& node = rack.nodes[n];
            const Box box = layout.node(i, n);
            fmt::format_to(std::back_inserter(svg),
                           "<path class=\"{}\" d=\"{}\"><title>{}</title></path>\n",
                           node_classes(node, styles), rectangle(box),
                           escaped(node_words(picture, rack, node)));
            add_jobs(node, box, styles, overlays);
            add_marks(node, box, overlays);
        }
        labels += labels_svg(picture, layout, i, styles);
    }
    return svg + overlays_svg(overlays) + labels;
}

std::string drawing_style() {
    std::string css =
        ".rk text{font:12px system-ui,sans-serif;fill:#1f2328}.rk .s{font-size:11px}"
        ".rk .bg{fill:#fff}.rk .hd{font-size:17px;font-weight:600}"
        ".rk .n,.rk .m{fill:#eef1f4;stroke:#aeb6bf;stroke-width:.8}"
        ".rk .d{fill:#4a525b}.rk .b{fill:url(#busy)}.bl{stroke:#6b747e}.bb{fill:#d3d8dd}"
        ".rk .o{pointer-events:none}.rk .x{fill:none;stroke:#a40e26;stroke-width:1.6}"
        ".rk .x.l{stroke:#fff}.rk .x.z{stroke:#000;stroke-width:2}.rk "
        ".r{fill:#5e35b1;stroke:#fff;stroke-width:.7}"
        ".rk .u{fill:#1f2328}.rk .u.z{fill:#000}.rk .k{fill:#000;fill-opacity:.62}"
        ".rk .q{fill:#59636e;stroke:#59636e;stroke-width:.8}.rk .h{fill:none}"
        ".rk .t{fill:none;stroke-dasharray:2 2}"
        ".rk .g{fill:none;stroke:#59636e;stroke-width:1.2}"
        ".rk .a,.rk .w{font-size:11px;font-weight:600;text-anchor:middle;fill:#000}"
        ".rk .w{fill:#fff}"
        ".rk .e{font-size:9px}.rk .off{opacity:.16}";
    for (std::size_t color = 0; color < job_colors.size(); ++color)
        css += fmt::format(".rk .c{}{{fill:{}}}", color, job_colors[color].fill);
    css +=
        "@media (prefers-color-scheme:dark){.rk text{fill:#e6edf3}.rk .bg{fill:#0f1318}"
        ".rk .n,.rk .m{fill:#20262d;stroke:#5b6570}.rk .d{fill:#9aa4ae}"
        ".rk .b{fill:url(#busy)}.bl{stroke:#8a949e}"
        ".bb{fill:#343c45}.rk .x{stroke:#ff7b72}.rk .x.l{stroke:#0f1318}.rk .x.z{stroke:#000}"
        ".rk .r{fill:#b79cff;stroke:#0f1318}.rk .u{fill:#e6edf3}"
        ".rk .q{fill:#9aa4ae;stroke:#9aa4ae}.rk .h,.rk .t{fill:none}"
        ".rk .g{stroke:#9aa4ae}";
    for (std::size_t color = 0; color < job_colors.size(); ++color)
        css += fmt::format(".rk .c{}{{fill:{}}}", color, job_colors[color].fill);
    return css + "}";
}

std::string drawing_patterns() {
    return "<defs><pattern id=\"busy\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
           "<path class=\"bb\" d=\"M0 0h5v5h-5z\"/>"
           "<path class=\"bl\" d=\"M-1 1l2-2M0 5l5-5M4 6l2-2\" stroke-width=\"1.1\"/>"
           "</pattern></defs>\n";
}

}  // namespace nvl72block::cli
