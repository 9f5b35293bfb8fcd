// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job by the name that squeue gives it.
#pragma once

#include <string>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// "4711", "4711_3" or "4711+1"; InputError if there is no such job. Of an array's number alone,
/// its pending tasks if there are any.
[[nodiscard]] const JobRecord& find_job(const ClusterState& state, const std::string& name);

}  // namespace nvl72block::cli
