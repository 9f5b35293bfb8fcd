// SPDX-License-Identifier: GPL-2.0-or-later
//
// The charts of a replay over time: occupancy, fragmentation, waits of large jobs; and of several
// replays by their load: useful GPU time, waits.
#pragma once

#include <string>
#include <vector>

#include "replay/figures/report.hpp"

namespace nvl72block::replay {

/// An SVG document with one line per policy in each chart: over time for one replay, by load for
/// several, which have the same policies. `replays` is not empty.
[[nodiscard]] std::string replay_svg(const std::vector<Replay>& replays);

}  // namespace nvl72block::replay
