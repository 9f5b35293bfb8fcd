// SPDX-License-Identifier: GPL-2.0-or-later
//
// The charts of a replay: occupancy, fragmentation, waits of large jobs.
#pragma once

#include <string>
#include <vector>

#include "replay/figures/report.hpp"

namespace nvl72block::replay {

/// An SVG document with a line a policy in each chart.
[[nodiscard]] std::string replay_svg(const ReplayFacts& facts, const std::vector<Metrics>& metrics);

}  // namespace nvl72block::replay
