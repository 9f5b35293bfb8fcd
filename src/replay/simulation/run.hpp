// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job's run in the placement that it got.
#pragma once

#include <cstdint>
#include <functional>

#include "nvl72block/placement.hpp"

namespace nvl72block::replay {

struct Run {
    std::int64_t seconds = 0;
    double useful = 1;  ///< share of the time that the best placement would have needed
    bool torn = false;
    bool failed = false;
};

/// The run of the job at an index of the simulated jobs; empty: its duration, all of it useful.
using RunModel = std::function<Run(std::size_t job, const Placement& placement)>;

}  // namespace nvl72block::replay
