// SPDX-License-Identifier: GPL-2.0-or-later
//
// The racks themselves: brackets, names, nodes with their marks, labels of jobs, cliques.
#pragma once

#include <string>
#include <vector>

#include "cli/drawing/job_styles.hpp"
#include "cli/drawing/layout.hpp"
#include "cli/drawing/picture.hpp"

namespace nvl72block::cli {

/// SVG elements. Each node is one element with a <title>; classes are those of drawing_style().
/// What belongs to the job of index 7 also has the class j7.
[[nodiscard]] std::string racks_svg(const Picture& picture, const Layout& layout,
                                    const std::vector<JobStyle>& styles);

/// One node as the drawing shows it, without a title; for legends.
[[nodiscard]] std::string sample_svg(const DrawnNode& node, const Box& box,
                                     const std::vector<JobStyle>& styles);

/// The bar of the clique of this index in its rack.
[[nodiscard]] std::string clique_bar_svg(RackClique clique, const Box& box);

/// The content of <style>, and the patterns that it uses.
[[nodiscard]] std::string drawing_style();
[[nodiscard]] std::string drawing_patterns();

}  // namespace nvl72block::cli
