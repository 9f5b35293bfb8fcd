// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs from Slurm's accounting: the output of
//     sacct -aX -P -o Submit,Start,End,Timelimit,NNodes,ReqTRES
#pragma once

#include "replay/logs/log_lines.hpp"
#include "replay/logs/trace.hpp"

namespace nvl72block::replay {

/// `lines` stands at the header. Submit, Start, End and NNodes are required; Timelimit, ReqTRES,
/// SegmentSize and JobID are used if present; the order does not matter, other columns are ignored.
[[nodiscard]] Trace read_sacct_log(LogLines& lines);

}  // namespace nvl72block::replay
