// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/run_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "cli/program/child_process.hpp"

namespace nvl72block::cli {
namespace {

/// A build takes as long as it takes.
int wait_for(ChildProcess& child) {
    if (child.error() != 0) return program_missing;
    const int status = child.wait_until(ChildProcess::Clock::time_point::max()).value_or(0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_all(int file) {
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t count = read(file, part.data(), part.size());
        if (count > 0)
            text.append(part.data(), static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            return text;
    }
}

ProgramResult run_into_pipe(const std::vector<std::string>& command) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return {program_missing, "no pipe"};
    ChildProcess child(command, own_environment(), ends[1], ends[1], ProcessGroup::of_caller);
    close(ends[1]);
    ProgramResult result;
    result.output = read_all(ends[0]);
    close(ends[0]);
    result.status = wait_for(child);
    return result;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command, const std::string& log) {
    if (log.empty()) return run_into_pipe(command);
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return {program_missing, ""};
    ChildProcess child(command, own_environment(), file, file, ProcessGroup::of_caller);
    close(file);
    return {wait_for(child), ""};
}

}  // namespace nvl72block::cli
