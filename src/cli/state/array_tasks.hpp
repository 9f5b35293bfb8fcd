// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tasks of a job array as Slurm lists them: "3", "1-4", "1,5-7" or "1-9:2", with or without
// "%LIMIT".
#pragma once

#include <cstdint>
#include <string_view>

namespace nvl72block::cli {

/// Whether `task` is one of them; false for a list that is not written so.
[[nodiscard]] bool has_task(std::string_view tasks, std::uint32_t task);

/// Their number; 1 for a list that is not written so.
[[nodiscard]] std::uint32_t task_count(std::string_view tasks);

}  // namespace nvl72block::cli
