// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where racks and nodes are on the page: a column per rack, as many columns in a row as are
// readable, blocks of several racks in one row where they fit.
#pragma once

#include <cstddef>
#include <vector>

#include "cli/drawing/picture.hpp"

namespace nvl72block::cli {

struct Box {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    [[nodiscard]] int right() const { return x + width; }
    [[nodiscard]] int bottom() const { return y + height; }
};

/// Pixels. All of it starts at x = 0, y = 0.
class Layout {
  public:
    explicit Layout(const Picture& picture);

    /// The column of a rack with its name, without the brackets above.
    [[nodiscard]] const Box& rack(std::size_t rack) const { return racks_[rack]; }
    [[nodiscard]] Box node(std::size_t rack, std::size_t node) const;
    /// The bracket above `first` and the racks up to, not including `last`, which are in one row.
    [[nodiscard]] Box bracket(std::size_t level, std::size_t first, std::size_t last) const;

    /// Levels that have brackets: those whose blocks fit in a row.
    [[nodiscard]] std::size_t levels() const { return levels_; }
    [[nodiscard]] std::size_t racks_per_row() const { return racks_per_row_; }
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] int cell_width() const { return cell_width_; }
    [[nodiscard]] int cell_height() const { return cell_height_; }
    /// Room for a rack's name: beside or, where `names_upright` is false, turned by 90 degrees.
    [[nodiscard]] int name_height() const { return name_height_; }
    [[nodiscard]] bool names_upright() const { return names_upright_; }
    /// Width of the bar that shows a node's clique; 0 where no clique is known.
    [[nodiscard]] int clique_width() const { return clique_width_; }

    static constexpr int page_width = 1240;
    static constexpr int bracket_height = 6;
    static constexpr std::size_t longest_name = 12;  ///< characters shown of a rack's name

  private:
    void choose_columns(const Picture& picture);
    void choose_cells(const Picture& picture);
    void place_racks(const Picture& picture);
    [[nodiscard]] int row_height(const Picture& picture, std::size_t rack) const;
    [[nodiscard]] int small_gap() const;
    [[nodiscard]] int gap_before(const Picture& picture, std::size_t rack) const;

    std::vector<Box> racks_;
    std::size_t rows_ = 1;     // nodes one below the other
    std::size_t columns_ = 1;  // columns of nodes in a rack
    std::size_t levels_ = 0;
    std::size_t racks_per_row_ = 1;
    int cell_width_ = 0;
    int cell_height_ = 0;
    int clique_width_ = 0;
    int name_height_ = 0;
    bool names_upright_ = true;
    int width_ = 0;
    int height_ = 0;
};

}  // namespace nvl72block::cli
