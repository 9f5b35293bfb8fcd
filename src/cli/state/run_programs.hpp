// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs other programs and collects what they print, without a shell.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace nvl72block::cli {

using ArgumentList = std::vector<std::string>;  ///< the program's name first

struct ProgramLimits {
    std::chrono::seconds time;  ///< for all together, from their start to their end
    std::size_t bytes = std::size_t{512} << 20;  ///< of one program's standard output
};

/// The standard output of each program, in order. They run at the same time, with the variables
/// that `environment` sets ("KEY=VALUE") and without those that begin with its other words.
/// InputError where a program is not found, ends with an error (with what it said) or passes a
/// limit; no program is left running.
[[nodiscard]] std::vector<std::string> run_programs(const std::vector<ArgumentList>& programs,
                                                    const std::vector<std::string>& environment,
                                                    const ProgramLimits& limits);

}  // namespace nvl72block::cli
