// SPDX-License-Identifier: GPL-2.0-or-later
//
// The smallest changes with which a pending job would start now.
#pragma once

#include <vector>

#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {

/// For a job that does not fit. The engine has answered each of them with a placement; `nodes` are
/// what the job's viewer sees.
[[nodiscard]] std::vector<Suggestion> suggestions(const ClusterState& state,
                                                  const Occupancy& occupancy,
                                                  const JobQuestion& question,
                                                  const Availability& nodes);

}  // namespace nvl72block::cli
