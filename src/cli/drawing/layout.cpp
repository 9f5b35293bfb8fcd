// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/layout.hpp"

#include <algorithm>
#include <cmath>

#include "cli/drawing/markup.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t most_rows = 36;     // nodes one below the other: two racks' worth
constexpr std::size_t most_columns = 96;  // columns of nodes on the page
constexpr int widest_cell = 120;
constexpr int narrowest_cell = 6;
constexpr int name_character = 7;  // pixels, a little more than sans-serif needs
constexpr int row_gap = 14;

std::size_t divide_up(std::size_t number, std::size_t by) {
    return (number + by - 1) / by;
}

/// Nodes of the largest rack.
std::size_t most_nodes(const Picture& picture) {
    std::size_t most = 1;
    for (const DrawnRack& rack : picture.racks) most = std::max(most, rack.nodes.size());
    return most;
}

std::size_t longest_rack_name(const Picture& picture) {
    std::size_t longest = 1;
    for (const DrawnRack& rack : picture.racks)
        if (!rack.outside) longest = std::max(longest, character_count(rack.name));
    return std::min(longest, Layout::longest_name);
}

bool any_clique(const Picture& picture) {
    return std::any_of(picture.racks.begin(), picture.racks.end(),
                       [](const DrawnRack& rack) { return !rack.cliques.empty(); });
}

/// Racks per row that are a multiple of the largest level that `wanted` can be made to hold, with
/// least of the last row left empty.
std::size_t multiple_near(std::size_t wanted, std::size_t racks,
                          const std::vector<DrawnLevel>& levels) {
    std::size_t unit = 1;
    for (const DrawnLevel& level : levels)
        if (level.racks <= wanted) unit = level.racks;
    std::size_t best = std::max(wanted / unit, std::size_t{1}) * unit;
    const auto empty = [racks](std::size_t columns) {
        return divide_up(racks, columns) * columns - racks;
    };
    for (std::size_t columns = unit; columns <= wanted + wanted / 2; columns += unit)
        if (3 * columns >= 2 * wanted && empty(columns) < empty(best)) best = columns;
    return best;
}

}  // namespace

Layout::Layout(const Picture& picture) {
    choose_columns(picture);
    for (const DrawnLevel& level : picture.levels)
        if (level.racks <= racks_per_row_) ++levels_;
    choose_cells(picture);
    place_racks(picture);
}

void Layout::choose_columns(const Picture& picture) {
    const std::size_t nodes = most_nodes(picture);
    rows_ = std::min(nodes, most_rows);
    columns_ = divide_up(nodes, rows_);
    const auto in_blocks = static_cast<std::size_t>(
        std::count_if(picture.racks.begin(), picture.racks.end(),
                      [](const DrawnRack& rack) { return !rack.outside; }));
    const std::size_t racks =
        in_blocks > 8 ? in_blocks : std::max<std::size_t>(picture.racks.size(), 1);
    const auto square =
        static_cast<std::size_t>(std::ceil(std::sqrt(8.0 * static_cast<double>(racks))));
    const std::size_t most = std::max<std::size_t>(most_columns / columns_, 1);
    const std::size_t wanted = std::min({std::max<std::size_t>(square, 8), racks, most});
    racks_per_row_ = std::min(multiple_near(wanted, racks, picture.levels), std::max(most, wanted));
}

void Layout::choose_cells(const Picture& picture) {
    const int columns = static_cast<int>(racks_per_row_ * columns_);
    const int pitch = page_width / columns;  // with the gap beside
    cell_width_ = std::clamp(pitch - (pitch >= 30 ? 8 : 4), narrowest_cell, widest_cell);
    cell_height_ = std::clamp(cell_width_ * 3 / 10, 7, 18);
    clique_width_ = any_clique(picture) ? (cell_width_ >= 30 ? 5 : 3) : 0;
    cell_width_ -= clique_width_ > 0 && cell_width_ > 2 * clique_width_ ? clique_width_ : 0;
    const int name_width = static_cast<int>(longest_rack_name(picture)) * name_character;
    const int rack_width = (clique_width_ + cell_width_) * static_cast<int>(columns_);
    names_upright_ = name_width <= rack_width + small_gap();
    name_height_ = names_upright_ ? 16 : name_width + 4;
}

int Layout::small_gap() const {
    return cell_width_ >= 22 ? 6 : 2;
}

int Layout::gap_before(const Picture& picture, std::size_t rack) const {
    int gap = small_gap();
    for (std::size_t level = 0; level < levels_; ++level)
        if (rack % picture.levels[level].racks == 0) gap += cell_width_ >= 22 ? 4 : 2;
    return gap;
}

/// Height of the row that begins with `rack`: as its longest rack needs.
int Layout::row_height(const Picture& picture, std::size_t rack) const {
    std::size_t most = 0;
    const std::size_t end = std::min(rack + racks_per_row_, picture.racks.size());
    for (; rack < end; ++rack) most = std::max(most, picture.racks[rack].nodes.size());
    return name_height_ + cell_height_ * static_cast<int>(std::min(most, rows_));
}

void Layout::place_racks(const Picture& picture) {
    const int brackets = static_cast<int>(levels_) * bracket_height;
    int x = 0, y = brackets, height = 0;
    for (std::size_t rack = 0; rack < picture.racks.size(); ++rack) {
        if (rack % racks_per_row_ == 0) {
            x = 0;
            y += rack == 0 ? 0 : height + brackets + row_gap;
            height = row_height(picture, rack);
        } else {
            x += gap_before(picture, rack);
        }
        const int rack_width = (clique_width_ + cell_width_) * static_cast<int>(columns_);
        racks_.push_back({x, y, rack_width, height});
        x += rack_width;
        width_ = std::max(width_, x);
        height_ = y + height;
    }
}

Box Layout::node(std::size_t rack, std::size_t node) const {
    const Box& box = racks_[rack];
    const int column = (clique_width_ + cell_width_) * static_cast<int>(node / rows_);
    return {box.x + column + clique_width_,
            box.y + name_height_ + cell_height_ * static_cast<int>(node % rows_), cell_width_ - 1,
            cell_height_ - 1};
}

Box Layout::bracket(std::size_t level, std::size_t first, std::size_t last) const {
    const int y = racks_[first].y - static_cast<int>(level + 1) * bracket_height;
    return {racks_[first].x, y, racks_[last - 1].right() - racks_[first].x, bracket_height};
}

}  // namespace nvl72block::cli
