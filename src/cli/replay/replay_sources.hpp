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
/// by commas; services come last. `load` is that of all together, or 0. Notes on what is left out
/// of a log go to `notes`. Throws InputError.
[[nodiscard]] std::vector<replay::Source> replay_sources(const std::string& traces,
                                                         const std::string& workload, double load,
                                                         std::ostream& notes);

}  // namespace nvl72block::cli
