// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/run_programs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>

#include "cli/input/input_error.hpp"
#include "text/blanks.hpp"
#include "text/excerpt.hpp"

// NOLINTNEXTLINE(readability-redundant-declaration): POSIX declares it in no header
extern char** environ;

namespace nvl72block::cli {
namespace {

constexpr std::size_t most_output = 1U << 30;
constexpr int exit_not_run = 127;  // where posix_spawnp() itself cannot tell, as under emulation
constexpr const char* not_found = "not found on PATH";
using Clock = std::chrono::steady_clock;

std::string joined(const ArgumentList& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string system_text(int error) {
    return std::generic_category().message(error);
}

/// Pointers as exec wants them; `words` has to outlive them.
std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> list;
    list.reserve(words.size() + 1);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): exec does not write
    for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    return list;
}

/// This process's environment; `added` replaces what has the same key.
std::vector<std::string> environment_with(const std::vector<std::string>& added) {
    std::vector<std::string> all = added;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view key = text.substr(0, text.find('=') + 1);
        bool replaced = false;
        for (const std::string& word : added) replaced |= word.starts_with(key);
        if (!replaced) all.emplace_back(text);
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
        "run it on a host with Slurm's commands, or name a saved state with --state DIR");
}

/// One program; its destructor ends it.
class Child {
  public:
    Child(const ArgumentList& words, const std::vector<std::string>& environment)
        : text_(joined(words)), name_(words.front()) {
        std::array<int, 2> out{-1, -1};
        std::array<int, 2> err{-1, -1};
        if (pipe2(out.data(), O_CLOEXEC) != 0)
            throw InputError(name_, system_text(errno), "try again");
        out_ = out[0];
        if (pipe2(err.data(), O_CLOEXEC) != 0) {
            close(out[1]);
            close_stream(out_);
            throw InputError(name_, system_text(errno), "try again");
        }
        err_ = err[0];
        const int error = spawn(words, environment, out[1], err[1]);
        close(out[1]);
        close(err[1]);
        if (error == 0) return;
        pid_ = -1;
        close_stream(out_);
        close_stream(err_);
        throw_not_run(name_, error == ENOENT ? not_found : system_text(error));
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            (void)waitpid(pid_, nullptr, 0);
        }
        close_stream(out_);
        close_stream(err_);
    }

    [[nodiscard]] bool done() const { return out_ < 0 && err_ < 0; }
    [[nodiscard]] int out() const { return out_; }
    [[nodiscard]] int err() const { return err_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::string take_output() { return std::move(output_); }

    void read_out() { read_stream(out_, output_); }
    void read_err() { read_stream(err_, said_); }

    /// Waits for its end, which is near: both streams are closed.
    void finish() {
        int status = 0;
        pid_t ended = 0;
        do {
            ended = waitpid(pid_, &status, 0);
        } while (ended < 0 && errno == EINTR);
        pid_ = -1;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
        std::string_view said = trim(said_.empty() ? std::string_view(output_) : said_);
        if (said.empty() && WIFEXITED(status) && WEXITSTATUS(status) == exit_not_run)
            throw_not_run(name_, not_found);
        const bool denied = said.find("Access/permission denied") != std::string_view::npos;
        throw InputError(
            text_, said.empty() ? ending(status) : excerpt(said),
            denied ? "PrivateData in slurm.conf keeps it from this user; ask as an operator, or "
                     "name a saved state with --state DIR"
                   : "check that slurmctld answers (scontrol ping), or name a saved state with "
                     "--state DIR");
    }

  private:
    int spawn(const ArgumentList& words, const std::vector<std::string>& environment, int out,
              int err) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
        const std::vector<char*> arguments = pointers(words);
        const std::vector<char*> variables = pointers(environment);
        const int error = posix_spawnp(&pid_, words.front().c_str(), &actions, nullptr,
                                       arguments.data(), variables.data());
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }

    static void close_stream(int& stream) {
        if (stream >= 0) close(stream);
        stream = -1;
    }

    void read_stream(int& stream, std::string& text) {
        std::array<char, 1U << 16> buffer{};
        const ssize_t length = read(stream, buffer.data(), buffer.size());
        if (length < 0 && errno == EINTR) return;
        if (length <= 0) {
            close_stream(stream);
            return;
        }
        text.append(buffer.data(), static_cast<std::size_t>(length));
        if (text.size() > most_output)
            throw InputError(text_, "prints more than a gigabyte", "check what it prints");
    }

    std::string text_;
    std::string name_;
    pid_t pid_ = -1;
    int out_ = -1;
    int err_ = -1;
    std::string output_;
    std::string said_;
};

using Children = std::vector<std::unique_ptr<Child>>;

/// Waits until something can be read, and reads it. False when nothing is left to be read.
bool read_some(Children& children, Clock::time_point deadline, std::chrono::seconds timeout) {
    std::vector<pollfd> streams;
    std::vector<Child*> owners;
    for (const auto& child : children)
        for (const int stream : {child->out(), child->err()})
            if (stream >= 0) {
                streams.push_back({stream, POLLIN, 0});
                owners.push_back(child.get());
            }
    if (streams.empty()) return false;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    const int ready =
        left <= 0 ? 0 : poll(streams.data(), streams.size(), static_cast<int>(left) + 1);
    if (ready == 0)
        throw InputError(
            owners.front()->text(), fmt::format("no answer within {} s", timeout.count()),
            "check that slurmctld answers (scontrol ping), or name a saved state with --state DIR");
    for (std::size_t i = 0; ready > 0 && i < streams.size(); ++i) {
        if (streams[i].revents == 0) continue;
        if (streams[i].fd == owners[i]->out())
            owners[i]->read_out();
        else
            owners[i]->read_err();
    }
    return true;
}

}  // namespace

std::vector<std::string> run_programs(const std::vector<ArgumentList>& programs,
                                      const std::vector<std::string>& environment,
                                      std::chrono::seconds timeout) {
    const Clock::time_point deadline = Clock::now() + timeout;
    const std::vector<std::string> variables = environment_with(environment);
    Children children;
    for (const ArgumentList& words : programs)
        children.push_back(std::make_unique<Child>(words, variables));
    while (read_some(children, deadline, timeout)) {
    }
    std::vector<std::string> outputs;
    for (const auto& child : children) {
        child->finish();
        outputs.push_back(child->take_output());
    }
    return outputs;
}

}  // namespace nvl72block::cli
