// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times and durations as scontrol prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nvl72block::cli {

/// Seconds on the wall clock of whoever ran scontrol, counted from 1970 as if that clock were UTC.
/// Only differences mean something; a change to or from summer time is not known.
using SlurmTime = std::int64_t;

/// "2026-11-22T20:51:14"; nullopt for anything else ("Unknown", "N/A").
[[nodiscard]] std::optional<SlurmTime> parse_time(std::string_view text);

/// "2026-11-22 20:51".
[[nodiscard]] std::string time_text(SlurmTime time);

/// "14:20" on the day of `now`, else "2026-11-23 14:20".
[[nodiscard]] std::string short_time(SlurmTime time, SlurmTime now);

/// Seconds of "01:30:00" or "2-00:00:00"; nullopt for anything else ("UNLIMITED", "NONE").
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text);

/// Seconds of sbatch's --time: "90" (minutes), "30:00", "4:00:00", "1-12", "1-12:30" or
/// "1-12:30:00"; nullopt for anything else.
[[nodiscard]] std::optional<std::int64_t> parse_time_limit(std::string_view text);

/// "2 h 10 min", "3 d 4 h", "45 s".
[[nodiscard]] std::string duration_text(std::int64_t seconds);

}  // namespace nvl72block::cli
