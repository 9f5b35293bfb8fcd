// SPDX-License-Identifier: GPL-2.0-or-later
//
// One set of figures for several runs of a strategy.
#pragma once

#include <vector>

#include "replay/figures/metrics.hpp"

namespace nvl72block::replay {

/// Means over `runs`, which is not empty and of one strategy; waits of large jobs are pooled,
/// counts of jobs added up. The series are those of the first run.
[[nodiscard]] Metrics average(const std::vector<Metrics>& runs);

}  // namespace nvl72block::replay
