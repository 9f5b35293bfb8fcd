// SPDX-License-Identifier: GPL-2.0-or-later
//
// What --trace and --workload name, ready to be replayed.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "replay/workload/workload.hpp"

namespace nvl72block::cli {

/// Replayed where neither option is given.
inline constexpr const char* default_workload = "llm,services:0.1";

[[nodiscard]] std::vector<std::string> split_at_commas(const std::string& text);

/// What --segment-rule names; InputError.
[[nodiscard]] replay::SegmentRule parse_segment_rule(const std::string& text);

/// The logs in `traces` (files), then the generators in `workload` (NAME[:SHARE]), each separated
/// by commas; services come last. Notes on what is left out of a log go to `notes`. Throws
/// InputError.
[[nodiscard]] std::vector<replay::Source> replay_sources(const std::string& traces,
                                                         const std::string& workload,
                                                         std::ostream& notes);

/// Shares that leave nothing of `load`, that of all together, for a source without one are wrong:
/// InputError.
void check_shares(const std::vector<replay::Source>& sources, double load);

/// The note on jobs whose end the accounting has lost; "" without any.
[[nodiscard]] std::string lost_ends_note(std::size_t jobs);

}  // namespace nvl72block::cli
