// SPDX-License-Identifier: GPL-2.0-or-later
//
// Other programs, run without a shell.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nvl72block::cli {

struct ProgramResult {
    int status = 0;      ///< exit status; program_missing if it cannot be started
    std::string output;  ///< standard output and error output
};

inline constexpr int program_missing = 127;

/// Runs a program that is searched in PATH. With `log`, its output is appended to that file
/// instead.
using RunProgram =
    std::function<ProgramResult(const std::vector<std::string>& command, const std::string& log)>;

/// The real one.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& command,
                                        const std::string& log);

}  // namespace nvl72block::cli
