// SPDX-License-Identifier: GPL-2.0-or-later
//
// Line charts one below the other, as an SVG document.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nvl72block::replay {

struct ChartLine {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< x ascending
};

struct Chart {
    std::string title;
    std::string x_label;
    std::string y_label;
    double y_max = 0;  ///< 0: as the lines need
    std::vector<ChartLine> lines;
    double x_min = 0;  ///< where the horizontal axis begins
};

/// A line keeps its colour and dashes from chart to chart: the n-th line of each looks the same.
[[nodiscard]] std::string svg_document(const std::string& title, const std::vector<Chart>& charts);

}  // namespace nvl72block::replay
