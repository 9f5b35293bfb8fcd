// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs as the log that they would be read from.
#pragma once

#include <span>
#include <string>

#include "replay/workload/workload.hpp"

namespace nvl72block::replay {

/// Lines as sacct prints them, with segments; times in seconds, the first one 0. Each job starts
/// when it is submitted.
[[nodiscard]] std::string job_log(std::span<const Job> jobs);

}  // namespace nvl72block::replay
