// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs another program to its end and collects what it prints, without a shell.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/program/child_process.hpp"

namespace nvl72block::cli {

struct ProgramLimits {
    std::optional<std::chrono::seconds> time;  ///< from its start to its end; nullopt: none
    std::size_t bytes = std::size_t{1} << 30;  ///< of its standard output
};

enum class ProgramEnd { exited, not_started, too_late, too_long };

struct ProgramOutcome {
    ProgramEnd end = ProgramEnd::exited;
    int error = 0;    ///< errno of not_started
    int status = 0;   ///< of one that exited, as waitpid() gives it
    std::string out;  ///< standard output
    std::string err;  ///< the beginning of its error output
};

/// Runs words[0], searched in PATH, with this process's environment. It is not left running.
[[nodiscard]] ProgramOutcome run_to_end(const std::vector<std::string>& words,
                                        const ProgramLimits& limits, ProcessGroup group);

}  // namespace nvl72block::cli
