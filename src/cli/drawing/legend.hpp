// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the states of nodes and the bars of cliques look like.
#pragma once

#include <string>
#include <vector>

#include "cli/drawing/job_styles.hpp"
#include "cli/drawing/picture.hpp"

namespace nvl72block::cli {

struct DrawnPart {
    std::string svg;
    int height = 0;
};

/// An entry for each appearance that occurs in the picture, in rows of at most `width` pixels. The
/// first `levels` of the picture have brackets.
[[nodiscard]] DrawnPart legend_of_states(const Picture& picture,
                                         const std::vector<JobStyle>& styles, int width,
                                         std::size_t levels);

}  // namespace nvl72block::cli
