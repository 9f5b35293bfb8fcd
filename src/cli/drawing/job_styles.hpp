// SPDX-License-Identifier: GPL-2.0-or-later
//
// The colours of jobs in a drawing.
#pragma once

#include <array>
#include <vector>

#include "cli/drawing/picture.hpp"

namespace nvl72block::cli {

struct JobColor {
    const char* fill;
    bool dark;  ///< text on it is white
};

/// Okabe and Ito's palette, which colour-blind people can tell apart, but for its black.
inline constexpr std::array<JobColor, 7> job_colors = {{
    {"#56b4e9", false},
    {"#e69f00", false},
    {"#009e73", false},
    {"#cc79a7", false},
    {"#0072b2", true},
    {"#f0e442", false},
    {"#d55e00", false},
}};

/// A colour, plain or with a band across each node: twice as many styles as colours.
struct JobStyle {
    unsigned color = 0;
    bool banded = false;
    bool operator==(const JobStyle&) const = default;
};

/// The jobs that touch each job: on the same node, on the next one of the rack, or at the same
/// height of the next rack. Sorted, without duplicates.
[[nodiscard]] std::vector<std::vector<JobIndex>> touching_jobs(const Picture& picture);

/// A style for each job. Jobs that touch have different colours, or at least different styles,
/// unless one of them touches jobs of all of them.
[[nodiscard]] std::vector<JobStyle> job_styles(const Picture& picture);

}  // namespace nvl72block::cli
