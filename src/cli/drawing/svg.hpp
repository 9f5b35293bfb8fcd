// SPDX-License-Identifier: GPL-2.0-or-later
//
// The racks as an SVG document. It needs no other file, and follows the reader's choice of a light
// or a dark page.
#pragma once

#include <string>

#include "cli/drawing/picture.hpp"

namespace nvl72block::cli {

/// A document of its own, with title, facts, legend, the largest jobs and remarks.
[[nodiscard]] std::string svg_document(const Picture& picture);

/// The racks and the legend alone, for a page that has the rest. The id is "racks".
[[nodiscard]] std::string svg_part(const Picture& picture);

/// The largest number of jobs that svg_document() lists.
inline constexpr std::size_t most_listed_jobs = 30;

}  // namespace nvl72block::cli
