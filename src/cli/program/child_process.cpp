// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/program/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <thread>

// NOLINTNEXTLINE(readability-redundant-declaration): POSIX declares it in no header
extern char** environ;

namespace nvl72block::cli {
namespace {

/// Pointers as exec wants them; `words` has to outlive them.
std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> list;
    list.reserve(words.size() + 1);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): exec does not write
    for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    return list;
}

/// What posix_spawn() is told beside the program; freed with its owner.
class SpawnSettings {
  public:
    SpawnSettings(int out, int err, ProcessGroup group) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
        posix_spawnattr_init(&attributes_);
        if (group == ProcessGroup::own)
            posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

  private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words,
                           const std::vector<std::string>& environment, int out, int err,
                           ProcessGroup group)
    : group_(group) {
    const SpawnSettings settings(out, err, group);
    const std::vector<char*> arguments = pointers(words);
    const std::vector<char*> variables = pointers(environment);
    error_ = posix_spawnp(&pid_, words.front().c_str(), settings.actions(), settings.attributes(),
                          arguments.data(), variables.data());
    if (error_ != 0) pid_ = -1;
}

ChildProcess::~ChildProcess() {
    if (pid_ <= 0) return;
    kill(group_ == ProcessGroup::own ? -pid_ : pid_, SIGKILL);
    // A process in an uninterruptible call of a dead file server ends when it pleases.
    constexpr std::chrono::seconds patience{5};
    (void)wait_until(Clock::now() + patience);
}

std::optional<int> ChildProcess::wait_until(Clock::time_point deadline) {
    // pidfd_open() would need Linux 5.3. Programs end at once when their outputs are closed.
    constexpr std::chrono::milliseconds longest_pause{20};
    for (std::chrono::milliseconds pause{1};; pause = std::min(2 * pause, longest_pause)) {
        int status = 0;
        const pid_t ended = waitpid(pid_, &status, WNOHANG);
        if (ended == pid_ || (ended < 0 && errno != EINTR)) {
            pid_ = -1;
            return status;
        }
        if (Clock::now() >= deadline) return std::nullopt;
        std::this_thread::sleep_for(pause);
    }
}

std::vector<std::string> own_environment() {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
    return all;
}

}  // namespace nvl72block::cli
