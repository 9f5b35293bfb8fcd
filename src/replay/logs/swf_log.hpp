// SPDX-License-Identifier: GPL-2.0-or-later
//
// The Standard Workload Format of the Parallel Workloads Archive.
#pragma once

#include "replay/logs/log_lines.hpp"
#include "replay/logs/trace.hpp"

namespace nvl72block::replay {

/// Whether a log that begins with this line is in the format.
[[nodiscard]] bool is_swf_line(std::string_view line);

/// `lines` stands at the first line. Processors become nodes by MaxProcs and MaxNodes of the
/// header; without these, a processor is a node.
[[nodiscard]] Trace read_swf_log(LogLines& lines);

}  // namespace nvl72block::replay
