// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/program/run_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace nvl72block::cli {
namespace {

using Clock = ChildProcess::Clock;

constexpr std::size_t most_said = 1U << 16;  // of an error output; what follows is not kept

/// A pipe of which the program writes one end.
class Pipe {
  public:
    Pipe() : error_(pipe2(ends_.data(), O_CLOEXEC) == 0 ? 0 : errno) {}
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_end(0);
        close_end(1);
    }

    [[nodiscard]] int error() const { return error_; }
    [[nodiscard]] int reading() const { return ends_[0]; }  ///< -1: at its end
    [[nodiscard]] int writing() const { return ends_[1]; }
    void close_writing() { close_end(1); }

    /// Reads what is there, and keeps up to `most` bytes of the whole. False if there was more.
    bool read_some(std::string& text, std::size_t most) {
        std::array<char, 1U << 16> buffer{};
        const ssize_t length = read(ends_[0], buffer.data(), buffer.size());
        if (length < 0 && errno == EINTR) return true;
        if (length <= 0) {
            close_end(0);
            return true;
        }
        const std::size_t kept = std::min(most - text.size(), static_cast<std::size_t>(length));
        text.append(buffer.data(), kept);
        return kept == static_cast<std::size_t>(length);
    }

  private:
    void close_end(std::size_t end) {
        if (ends_[end] >= 0) close(ends_[end]);
        ends_[end] = -1;
    }

    std::array<int, 2> ends_{-1, -1};
    int error_;
};

/// Milliseconds for poll(): up to the deadline, and one more so that it has passed then.
int time_left(Clock::time_point deadline) {
    if (deadline == Clock::time_point::max()) return -1;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return left < 0 ? 0 : static_cast<int>(std::min<decltype(left)>(left, 1 << 30)) + 1;
}

/// Reads both outputs to their ends.
ProgramEnd read_outputs(Pipe& out, Pipe& err, Clock::time_point deadline, std::size_t bytes,
                        ProgramOutcome& outcome) {
    while (out.reading() >= 0 || err.reading() >= 0) {
        // poll() leaves out what is negative.
        std::array<pollfd, 2> streams{{{out.reading(), POLLIN, 0}, {err.reading(), POLLIN, 0}}};
        const int ready = poll(streams.data(), streams.size(), time_left(deadline));
        if (ready == 0) return ProgramEnd::too_late;
        if (ready < 0) continue;
        if (streams[0].revents != 0 && !out.read_some(outcome.out, bytes))
            return ProgramEnd::too_long;
        if (streams[1].revents != 0) (void)err.read_some(outcome.err, most_said);
    }
    return ProgramEnd::exited;
}

}  // namespace

ProgramOutcome run_to_end(const std::vector<std::string>& words, const ProgramLimits& limits,
                          ProcessGroup group) {
    const Clock::time_point deadline =
        limits.time ? Clock::now() + *limits.time : Clock::time_point::max();
    ProgramOutcome outcome;
    Pipe out, err;
    outcome.error = std::max(out.error(), err.error());
    outcome.end = ProgramEnd::not_started;
    if (outcome.error != 0) return outcome;
    ChildProcess child(words, own_environment(), out.writing(), err.writing(), group);
    out.close_writing();
    err.close_writing();
    outcome.error = child.error();
    if (outcome.error != 0) return outcome;
    outcome.end = read_outputs(out, err, deadline, limits.bytes, outcome);
    if (outcome.end != ProgramEnd::exited) return outcome;
    const std::optional<int> status = child.wait_until(deadline);
    if (!status) outcome.end = ProgramEnd::too_late;
    outcome.status = status.value_or(0);
    return outcome;
}

}  // namespace nvl72block::cli
