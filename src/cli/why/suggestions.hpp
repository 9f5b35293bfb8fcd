// SPDX-License-Identifier: GPL-2.0-or-later
//
// The smallest changes with which a pending job would start now.
#pragma once

#include <vector>

#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {

/// `what_the_plugin_cannot`: with another time limit, without lists of nodes, after repairs.
enum class Asked { all, what_the_plugin_cannot };

/// For a job that does not fit. The engine has answered each of them with a placement; `nodes` are
/// what the job's viewer sees.
[[nodiscard]] std::vector<Suggestion> suggestions(const ClusterState& state,
                                                  const Occupancy& occupancy,
                                                  const JobQuestion& question,
                                                  const Availability& nodes,
                                                  Asked asked = Asked::all);

}  // namespace nvl72block::cli
