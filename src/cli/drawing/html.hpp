// SPDX-License-Identifier: GPL-2.0-or-later
//
// The racks as a web page: the drawing, a table of jobs, and a script to pick out one job or all
// nodes that match a text.
#pragma once

#include <string>

#include "cli/drawing/picture.hpp"

namespace nvl72block::cli {

/// One file that loads nothing; without scripts it shows the same but for picking out.
[[nodiscard]] std::string html_page(const Picture& picture);

}  // namespace nvl72block::cli
