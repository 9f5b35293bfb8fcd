// SPDX-License-Identifier: GPL-2.0-or-later
//
// nvl72block-records, which asks slurmctld: it is built for one Slurm version and installed with
// the plugin.
#pragma once

#include <string>
#include <vector>

namespace nvl72block::cli {

inline constexpr const char* records_name = "nvl72block-records";

/// Where it is: beside this command, on PATH, or in the directory of Slurm's plugins that belongs
/// to the scontrol on PATH. Empty: nowhere.
[[nodiscard]] std::string find_records_program();

/// What it prints. InputError where it is not installed, slurmctld gives it no answer, or it passes
/// the limit of time or size.
[[nodiscard]] std::string ask_records(const std::vector<std::string>& options);

}  // namespace nvl72block::cli
