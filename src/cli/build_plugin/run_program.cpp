// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/run_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace nvl72block::cli {
namespace {

/// The files of a program that is started; they are closed in this process afterwards.
class Files {
  public:
    Files() { posix_spawn_file_actions_init(&actions_); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;
    ~Files() { posix_spawn_file_actions_destroy(&actions_); }

    void write_to(int file) {
        posix_spawn_file_actions_adddup2(&actions_, file, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, file, STDERR_FILENO);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

pid_t start(const std::vector<std::string>& command, int output) {
    Files files;
    files.write_to(output);
    std::vector<char*> arguments;
    for (const std::string& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t child = -1;
    const int failure = posix_spawnp(&child, command.front().c_str(), files.get(), nullptr,
                                     arguments.data(), environ);
    return failure == 0 ? child : -1;
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return program_missing;
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
    const pid_t child = start(command, ends[1]);
    close(ends[1]);
    ProgramResult result;
    result.output = read_all(ends[0]);
    close(ends[0]);
    result.status = child < 0 ? program_missing : wait_for(child);
    return result;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command, const std::string& log) {
    if (log.empty()) return run_into_pipe(command);
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return {program_missing, ""};
    const pid_t child = start(command, file);
    close(file);
    return {child < 0 ? program_missing : wait_for(child), ""};
}

}  // namespace nvl72block::cli
