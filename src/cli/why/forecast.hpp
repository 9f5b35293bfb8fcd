// SPDX-License-Identifier: GPL-2.0-or-later
//
// When a pending job could start if all jobs ran up to their time limits and no other one started.
#pragma once

#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {

/// Asks the engine about as many times as a bisection of all ends of jobs and reservations takes.
/// Where a reservation that begins later makes the free nodes fewer again, the time is one at which
/// the job could start, and an earlier one may exist.
[[nodiscard]] Forecast forecast(const ClusterState& state, const JobQuestion& question);

}  // namespace nvl72block::cli
