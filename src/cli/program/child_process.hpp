// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program that was started without a shell, and that ends with its owner.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace nvl72block::cli {

/// With a process group of its own all that a program has started can be ended with it. In the
/// caller's group it ends with the caller's Ctrl-C.
enum class ProcessGroup { own, of_caller };

class ChildProcess {
  public:
    using Clock = std::chrono::steady_clock;

    /// Starts words[0], searched in PATH, with the variables `environment` ("KEY=VALUE"), standard
    /// input empty, and `out` and `err` as its outputs. See error().
    ChildProcess(const std::vector<std::string>& words, const std::vector<std::string>& environment,
                 int out, int err, ProcessGroup group);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    /// Ends it with SIGKILL if it still runs.
    ~ChildProcess();

    /// errno if it could not be started; 0: it was.
    [[nodiscard]] int error() const { return error_; }

    /// Its status as waitpid() gives it, once it has ended; nullopt at `deadline`.
    [[nodiscard]] std::optional<int> wait_until(Clock::time_point deadline);

  private:
    ProcessGroup group_;
    pid_t pid_ = -1;  ///< -1: there is none, or it was waited for
    int error_ = 0;
};

/// This process's environment.
[[nodiscard]] std::vector<std::string> own_environment();

}  // namespace nvl72block::cli
