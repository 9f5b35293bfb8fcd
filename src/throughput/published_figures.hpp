// SPDX-License-Identifier: GPL-2.0-or-later
//
// What others measured on NVL72 racks, and what the model says of the same.
#pragma once

#include <string>
#include <vector>

namespace nvl72block::throughput {

struct PublishedFigure {
    std::string what;
    std::string unit;
    double measured = 0;
    double predicted = 0;
    std::string source;
    bool fitted = false;  ///< constants of the model were chosen by it
};

/// In the order of the table in tests/RESULTS.md.
[[nodiscard]] std::vector<PublishedFigure> published_figures();

/// Within a third of what was measured. What is not may not be used to claim a gain.
[[nodiscard]] bool confirmed(const PublishedFigure& figure);

}  // namespace nvl72block::throughput
