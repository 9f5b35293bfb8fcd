// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job by the name that squeue gives it.
#pragma once

#include <string>
#include <string_view>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// Whether `task` is one of "3", "1-4", "1,5-7" or "1-9:2", with or without "%LIMIT".
[[nodiscard]] bool has_task(std::string_view tasks, std::uint32_t task);

/// "4711", "4711_3" or "4711+1"; InputError if there is no such job. Of an array's number alone,
/// its pending tasks if there are any.
[[nodiscard]] const JobRecord& find_job(const ClusterState& state, const std::string& name);

}  // namespace nvl72block::cli
