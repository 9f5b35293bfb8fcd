// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cli/drawing/markup.hpp"
#include "cli/drawing/rack_drawing.hpp"

namespace nvl72block::cli {
namespace {

constexpr int sample_width = 26;
constexpr int sample_height = 13;
constexpr int row_height = 22;
constexpr double character = 6.4;

using Test = std::function<bool(const DrawnNode&)>;

bool occurs(const Picture& picture, const Test& test) {
    return std::any_of(picture.racks.begin(), picture.racks.end(), [&test](const DrawnRack& rack) {
        return std::any_of(rack.nodes.begin(), rack.nodes.end(), test);
    });
}

/// Writes samples with texts, from left to right.
class Rows {
  public:
    explicit Rows(int width) : width_(width) {}

    /// The box of the next sample; its text follows.
    Box next(const std::string& text) {
        const int needed = sample_width + 22 +
                           static_cast<int>(character * static_cast<double>(character_count(text)));
        if (x_ > 0 && x_ + needed > width_) {
            x_ = 0;
            y_ += row_height;
        }
        const Box box{x_, y_ + (row_height - sample_height) / 2, sample_width, sample_height};
        svg_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", box.right() + 6,
                            box.bottom() - 2, escaped(text));
        x_ += needed;
        return box;
    }
    void add(const std::string& svg) { svg_ += svg; }
    [[nodiscard]] DrawnPart part() const { return {svg_, y_ + row_height}; }

  private:
    int width_;
    int x_ = 0;
    int y_ = 0;
    std::string svg_;
};

struct Entry {
    const char* text;
    DrawnNode sample;
    Test occurs;
};

DrawnNode sample(NodeMark mark, bool busy = false, bool reserved = false) {
    DrawnNode node;
    node.mark = mark;
    node.busy = busy;
    node.reserved = reserved;
    return node;
}

std::vector<Entry> entries() {
    return {
        {"busy", sample(NodeMark::none, true),
         [](const DrawnNode& node) { return node.busy && node.jobs.empty(); }},
        {"drained", sample(NodeMark::drained),
         [](const DrawnNode& node) { return node.mark == NodeMark::drained; }},
        {"down", sample(NodeMark::down),
         [](const DrawnNode& node) { return node.mark == NodeMark::down; }},
        {"reserved", sample(NodeMark::none, false, true),
         [](const DrawnNode& node) { return node.reserved; }},
        {"planned or not available", sample(NodeMark::unavailable),
         [](const DrawnNode& node) { return node.mark == NodeMark::unavailable; }},
    };
}

/// A job, and what is special about nodes with jobs.
void add_job_samples(const Picture& picture, const std::vector<JobStyle>& styles, Rows& rows) {
    if (picture.jobs.empty()) return;
    DrawnNode node;
    node.jobs = {0};
    rows.add(sample_svg(node, rows.next("a job, each with its colour"), styles));
    node.partly = true;
    if (occurs(picture, [](const DrawnNode& each) { return each.partly; }))
        rows.add(sample_svg(node, rows.next("partly free"), styles));
    node.partly = false;
    node.jobs = {0, picture.jobs.size() > 1 ? JobIndex{1} : JobIndex{0}};
    if (occurs(picture, [](const DrawnNode& each) { return each.jobs.size() > 1; }))
        rows.add(sample_svg(node, rows.next("several jobs"), styles));
}

void add_clique_samples(const Picture& picture, Rows& rows) {
    std::size_t most = 0;
    for (const DrawnRack& rack : picture.racks) most = std::max(most, rack.cliques.size());
    constexpr std::array texts = {"NVLink clique", "a second one in the rack", "a third one"};
    for (std::size_t i = 0; i < std::min(most, texts.size()); ++i) {
        const Box box = rows.next(texts[i]);
        rows.add(
            clique_bar_svg(static_cast<RackClique>(i), {box.right() - 10, box.y, 3, box.height}));
    }
}

std::string level_words(const Picture& picture, std::size_t levels) {
    std::string text;
    for (std::size_t level = 0; level < levels; ++level)
        text += fmt::format("{}{}", level == 0 ? "brackets: blocks of " : ", ",
                            picture.levels[level].nodes);
    return text + " nodes";
}

}  // namespace

DrawnPart legend_of_states(const Picture& picture, const std::vector<JobStyle>& styles, int width,
                           std::size_t levels) {
    Rows rows(width);
    rows.add(sample_svg({}, rows.next("free"), styles));
    add_job_samples(picture, styles, rows);
    for (const Entry& entry : entries())
        if (occurs(picture, entry.occurs))
            rows.add(sample_svg(entry.sample, rows.next(entry.text), styles));
    add_clique_samples(picture, rows);
    if (levels > 0) {
        const Box box = rows.next(level_words(picture, levels));
        rows.add(fmt::format("<path class=\"g\" d=\"M{} {}v-6h{}v6\"/>\n", box.x + 2, box.y + 9,
                             box.width - 4));
    }
    return rows.part();
}

}  // namespace nvl72block::cli
