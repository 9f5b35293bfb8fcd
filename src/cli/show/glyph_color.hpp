// SPDX-License-Identifier: GPL-2.0-or-later
//
// Terminal colours of the rack map's glyphs.
#pragma once

#include <string>
#include <string_view>

namespace nvl72block::cli {

/// `glyphs` with a colour for each run of equal ones.
[[nodiscard]] std::string colored(std::string_view glyphs);

}  // namespace nvl72block::cli
