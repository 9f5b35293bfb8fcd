// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/run_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/program/child_process.hpp"
#include "cli/program/run_program.hpp"

namespace nvl72block::cli {
namespace {

int exit_status(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A build takes as long as it takes.
int wait_for(ChildProcess& child) {
    if (child.error() != 0) return program_missing;
    return exit_status(child.wait_until(ChildProcess::Clock::time_point::max()).value_or(0));
}

ProgramResult run_and_keep(const std::vector<std::string>& command) {
    const ProgramOutcome outcome = run_to_end(command, {}, ProcessGroup::of_caller);
    if (outcome.end != ProgramEnd::exited) return {program_missing, ""};
    return {exit_status(outcome.status), outcome.out + outcome.err};
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command, const std::string& log) {
    if (log.empty()) return run_and_keep(command);
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return {program_missing, ""};
    ChildProcess child(command, own_environment(), file, file, ProcessGroup::of_caller);
    close(file);
    return {wait_for(child), ""};
}

}  // namespace nvl72block::cli
