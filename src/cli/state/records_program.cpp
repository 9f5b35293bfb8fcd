// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/records_program.hpp"

#include <fmt/format.h>
#include <glob.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/program/run_program.hpp"
#include "text/blanks.hpp"
#include "text/excerpt.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{30};
constexpr const char* slurmctld_remedy =
    "check that slurmctld answers (scontrol ping), or pass a saved state with --state DIR";

bool is_program(const fs::path& path) {
    return access(path.c_str(), X_OK) == 0;
}

/// The program `name` of a directory of PATH; empty where there is none.
fs::path on_path(const char* name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
    const char* variable = std::getenv("PATH");
    std::string_view rest = variable != nullptr ? variable : "/usr/bin:/bin";
    while (!rest.empty()) {
        fs::path path = fs::path(take_item(rest, ':')) / name;
        if (is_program(path)) return path;
    }
    return {};
}

/// In PluginDir of an installed Slurm, or in the drop-in's directory there.
fs::path below(const fs::path& prefix) {
    const std::string pattern =
        (prefix / "{lib*/slurm,lib/*/slurm-wlm,lib/*/slurm}{,/nvl72block}" / records_name).string();
    glob_t found{};
    fs::path path;
    if (glob(pattern.c_str(), GLOB_BRACE, nullptr, &found) == 0) path = found.gl_pathv[0];
    globfree(&found);
    return is_program(path) ? path : fs::path();
}

std::string last_line(std::string_view text) {
    text = trim(text);
    text.remove_prefix(text.rfind('\n') + 1);  // npos + 1 is 0
    const std::string own = std::string(records_name) + ": ";
    if (text.starts_with(own)) text.remove_prefix(own.size());
    return excerpt(text);
}

[[noreturn]] void throw_not_installed() {
    throw InputError(records_name,
                     "is neither beside this command, on PATH nor in Slurm's plugin directory",
                     "install the package slurm-topology-nvl72block of this host's Slurm version, "
                     "or build it with nvl72block build-plugin --install, or pass a saved state "
                     "with --state DIR");
}

[[noreturn]] void throw_failed(const ProgramOutcome& outcome) {
    const std::string said = last_line(outcome.err);
    if (WIFSIGNALED(outcome.status))
        throw InputError(records_name,
                         fmt::format("was ended by signal {}", WTERMSIG(outcome.status)),
                         slurmctld_remedy);
    const bool denied = said.find("ermission denied") != std::string::npos;
    const bool no_library = said.find("client library") != std::string::npos;
    const bool of_a_job = said.starts_with("job ");  // and slurmctld has answered
    throw InputError(
        records_name,
        said.empty() ? fmt::format("ended with exit status {}", WEXITSTATUS(outcome.status)) : said,
        denied ? "PrivateData in slurm.conf keeps it from this user; ask as an operator, or pass a "
                 "saved state with --state DIR"
        : no_library ? "run it on a host with Slurm's commands, or pass a saved state with "
                       "--state DIR"
        : of_a_job   ? "what the records say counts"
                     : slurmctld_remedy);
}

}  // namespace

std::string find_records_program() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (const fs::path path = self.parent_path() / records_name; is_program(path)) return path;
    if (const fs::path path = on_path(records_name); !path.empty()) return path;
    const fs::path scontrol = fs::canonical(on_path("scontrol"), error);
    if (!error)
        if (const fs::path path = below(scontrol.parent_path().parent_path()); !path.empty())
            return path;
    return below("/usr");
}

std::string ask_records(const std::vector<std::string>& options) {
    std::vector<std::string> words{find_records_program()};
    if (words.front().empty()) throw_not_installed();
    words.insert(words.end(), options.begin(), options.end());
    const ProgramLimits limits{.time = patience};
    ProgramOutcome outcome = run_to_end(words, limits, ProcessGroup::own);
    switch (outcome.end) {
        case ProgramEnd::not_started:
            throw InputError(words.front(), std::generic_category().message(outcome.error),
                             "check that it is a program of this host");
        case ProgramEnd::too_late:
            throw InputError(records_name,
                             fmt::format("no answer within {} s", limits.time->count()),
                             slurmctld_remedy);
        case ProgramEnd::too_long:
            throw InputError(
                records_name,
                fmt::format("prints more than the {} bytes that are read of it", limits.bytes),
                "run it alone and look at what it prints");
        case ProgramEnd::exited:
            if (outcome.status != 0) throw_failed(outcome);
    }
    return std::move(outcome.out);
}

}  // namespace nvl72block::cli
