// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times and time limits as Slurm's commands print and take them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nvl72block {

/// Seconds on the wall clock of whoever ran the command, counted from 1970 as if that clock were
/// UTC. Only differences mean something; a change to or from summer time is not known.
using SlurmTime = std::int64_t;

/// "2026-11-22T20:51:14", or with a blank in place of the T; nullopt for anything else ("Unknown",
/// "N/A").
[[nodiscard]] std::optional<SlurmTime> parse_time(std::string_view text);

/// When a --begin or --deadline is, by the clock `now`: "now+2hours", "16:00" (the next one),
/// "2026-11-22" or "2026-11-22T20:51"; nullopt for anything else, sbatch's other forms among it.
[[nodiscard]] std::optional<SlurmTime> parse_moment(std::string_view text, SlurmTime now);

/// Seconds of "90" (minutes), "30:00", "4:00:00", "1-12", "1-12:30" or "1-12:30:00"; nullopt for
/// anything else ("UNLIMITED", "NONE").
[[nodiscard]] std::optional<std::int64_t> parse_time_limit(std::string_view text);

}  // namespace nvl72block
