// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/run_programs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/program/child_process.hpp"
#include "text/blanks.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t most_said = 1U << 16;  // of an error output; what follows is not kept
constexpr int exit_not_run = 127;  // where posix_spawnp() itself cannot tell, as under emulation
constexpr const char* not_found = "not found on PATH";
using Clock = ChildProcess::Clock;

std::string joined(const ArgumentList& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string system_text(int error) {
    return std::generic_category().message(error);
}

/// The environment without the entries that `changes` replaces or removes, and with those that it
/// sets.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
    std::vector<std::string> all = own_environment();
    for (const std::string& change : changes) {
        const std::size_t equals = change.find('=');
        const std::string_view beginning =
            std::string_view(change).substr(0, equals == std::string::npos ? equals : equals + 1);
        std::erase_if(all, [&](const std::string& entry) { return entry.starts_with(beginning); });
        if (equals != std::string::npos) all.push_back(change);
    }
    return all;
}

/// How a program ended that did not succeed.
std::string ending(int status) {
    if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
    return fmt::format("ended with exit status {}", WEXITSTATUS(status));
}

[[noreturn]] void throw_not_run(const std::string& name, const std::string& why) {
    throw InputError(
        name, why,
        "run it on a host with Slurm's commands, or pass a saved state with --state DIR");
}

constexpr const char* slurmctld_remedy =
    "check that slurmctld answers (scontrol ping), or pass a saved state with --state DIR";

/// The end of a pipe that is read.
class Stream {
  public:
    explicit Stream(int file) : file_(file) {}
    Stream(Stream&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Stream& operator=(Stream&&) = delete;
    ~Stream() { close_file(); }

    [[nodiscard]] int file() const { return file_; }  ///< -1: at its end
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::string take_text() { return std::move(text_); }

    /// Reads what is there, and keeps up to `most` bytes of the whole. False if there was more.
    bool read_some(std::size_t most) {
        std::array<char, 1U << 16> buffer{};
        const ssize_t length = read(file_, buffer.data(), buffer.size());
        if (length < 0 && errno == EINTR) return true;
        if (length <= 0) {
            close_file();
            return true;
        }
        const std::size_t kept = std::min(most - text_.size(), static_cast<std::size_t>(length));
        text_.append(buffer.data(), kept);
        return kept == static_cast<std::size_t>(length);
    }

  private:
    void close_file() {
        if (file_ >= 0) close(file_);
        file_ = -1;
    }

    int file_;
    std::string text_;
};

/// Both ends of a pipe; that which the program writes to is closed with it.
struct Pipe {
    explicit Pipe(const std::string& name) : ends(open_ends(name)), reading(ends[0]) {}
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() { close(ends[1]); }

    static std::array<int, 2> open_ends(const std::string& name) {
        std::array<int, 2> ends{-1, -1};
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw InputError(name, system_text(errno), "try again");
        return ends;
    }

    std::array<int, 2> ends;
    Stream reading;
};

/// One program, its outputs and what is wrong with it.
class Program {
  public:
    Program(const ArgumentList& words, const std::vector<std::string>& environment)
        : Program(words, environment, Pipe(words.front()), Pipe(words.front())) {}

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::string take_output() { return out_.take_text(); }
    [[nodiscard]] int out() const { return out_.file(); }
    [[nodiscard]] int err() const { return err_.file(); }

    void read_out(std::size_t most) {
        if (!out_.read_some(most))
            throw InputError(text_,
                             fmt::format("prints more than the {} bytes that are read of it", most),
                             "run it alone and look at what it prints");
    }
    void read_err() { (void)err_.read_some(most_said); }

    /// Waits for its end. False at the deadline.
    bool finish(Clock::time_point deadline) {
        const std::optional<int> status = child_.wait_until(deadline);
        if (status && (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0)) fail(*status);
        return status.has_value();
    }

  private:
    Program(const ArgumentList& words, const std::vector<std::string>& environment, Pipe&& out,
            Pipe&& err)
        : text_(joined(words)),
          name_(words.front()),
          child_(words, environment, out.ends[1], err.ends[1], ProcessGroup::own),
          out_(std::move(out.reading)),
          err_(std::move(err.reading)) {
        if (child_.error() != 0)
            throw_not_run(name_,
                          child_.error() == ENOENT ? not_found : system_text(child_.error()));
    }

    [[noreturn]] void fail(int status) const {
        const std::string_view said = trim(err_.text().empty() ? out_.text() : err_.text());
        if (said.empty() && WIFEXITED(status) && WEXITSTATUS(status) == exit_not_run)
            throw_not_run(name_, not_found);
        const bool denied = said.find("Access/permission denied") != std::string_view::npos;
        throw InputError(
            text_, said.empty() ? ending(status) : excerpt(said),
            denied ? "PrivateData in slurm.conf keeps it from this user; ask as an operator, or "
                     "pass a saved state with --state DIR"
                   : slurmctld_remedy);
    }

    std::string text_;
    std::string name_;
    ChildProcess child_;
    Stream out_;
    Stream err_;
};

using Programs = std::vector<std::unique_ptr<Program>>;

[[noreturn]] void throw_late(const Program& program, std::chrono::seconds time) {
    throw InputError(program.text(), fmt::format("no answer within {} s", time.count()),
                     slurmctld_remedy);
}

/// Waits until something can be read, and reads it. False when nothing is left to be read.
bool read_some(Programs& programs, Clock::time_point deadline, const ProgramLimits& limits) {
    std::vector<pollfd> streams;
    std::vector<Program*> owners;
    for (const auto& program : programs)
        for (const int stream : {program->out(), program->err()})
            if (stream >= 0) {
                streams.push_back({stream, POLLIN, 0});
                owners.push_back(program.get());
            }
    if (streams.empty()) return false;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    const int ready =
        left <= 0 ? 0 : poll(streams.data(), streams.size(), static_cast<int>(left) + 1);
    if (ready == 0) throw_late(*owners.front(), limits.time);
    for (std::size_t i = 0; ready > 0 && i < streams.size(); ++i) {
        if (streams[i].revents == 0) continue;
        if (streams[i].fd == owners[i]->out())
            owners[i]->read_out(limits.bytes);
        else
            owners[i]->read_err();
    }
    return true;
}

}  // namespace

std::vector<std::string> run_programs(const std::vector<ArgumentList>& commands,
                                      const std::vector<std::string>& environment,
                                      const ProgramLimits& limits) {
    const Clock::time_point deadline = Clock::now() + limits.time;
    const std::vector<std::string> variables = environment_with(environment);
    Programs programs;
    for (const ArgumentList& words : commands)
        programs.push_back(std::make_unique<Program>(words, variables));
    while (read_some(programs, deadline, limits)) {
    }
    std::vector<std::string> outputs;
    for (const auto& program : programs) {
        if (!program->finish(deadline)) throw_late(*program, limits.time);
        outputs.push_back(program->take_output());
    }
    return outputs;
}

}  // namespace nvl72block::cli
