// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the command's exit status says; the same for every subcommand.
#pragma once

namespace nvl72block::cli {

inline constexpr int exit_ok = 0;            ///< done; for plan: the job fits
inline constexpr int exit_does_not_fit = 1;  ///< plan: at least one job does not fit
inline constexpr int exit_findings = 1;      ///< check: blocks and cliques disagree
inline constexpr int exit_bad_input = 2;  ///< the input is wrong; stderr says where and the remedy

}  // namespace nvl72block::cli
