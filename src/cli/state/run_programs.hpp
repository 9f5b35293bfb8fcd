// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs other programs and collects what they print, without a shell.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace nvl72block::cli {

using ArgumentList = std::vector<std::string>;  ///< the program's name first

/// The standard output of each program, in order; they run at the same time, with `environment`
/// ("KEY=VALUE") added to that of this process. InputError where a program is not found, ends with
/// an error (with what it said), prints more than a gigabyte or is not done after `timeout`; no
/// program is left running.
[[nodiscard]] std::vector<std::string> run_programs(const std::vector<ArgumentList>& programs,
                                                    const std::vector<std::string>& environment,
                                                    std::chrono::seconds timeout);

}  // namespace nvl72block::cli
