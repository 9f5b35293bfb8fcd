// SPDX-License-Identifier: GPL-2.0-or-later
//
// When a pending job could start if all jobs ran up to their time limits and no other one started.
#pragma once

#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {

/// The earliest of the times at which a job or a reservation ends, not before --begin. Asks the
/// engine about as many times as a bisection of these times takes, once more for each reservation
/// to come.
[[nodiscard]] Forecast forecast(const ClusterState& state, const Occupancy& occupancy,
                                const JobQuestion& question);

}  // namespace nvl72block::cli
