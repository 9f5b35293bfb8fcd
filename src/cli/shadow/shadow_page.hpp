// SPDX-License-Identifier: GPL-2.0-or-later
//
// The comparison as a web page, with the racks of the largest differences.
#pragma once

#include <string>

#include "cli/shadow/shadow_summary.hpp"

namespace nvl72block::cli {

/// One file that loads nothing.
[[nodiscard]] std::string shadow_page(const ShadowFile& file, const ShadowSummary& summary);

}  // namespace nvl72block::cli
