// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times and durations as the command prints them.
#pragma once

#include <cstdint>
#include <string>

#include "text/times.hpp"

namespace nvl72block::cli {

/// "2026-11-22 20:51".
[[nodiscard]] std::string time_text(SlurmTime time);

/// "14:20" on the day of `now`, else "2026-11-23 14:20".
[[nodiscard]] std::string short_time(SlurmTime time, SlurmTime now);

/// "2 h 10 min", "3 d 4 h", "45 s".
[[nodiscard]] std::string duration_text(std::int64_t seconds);

}  // namespace nvl72block::cli
