// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/state_text.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/input/input_error.hpp"
#include "cli/state/job_listing.hpp"
#include "cli/state/parse.hpp"
#include "cli/state/run_programs.hpp"
#include "files/read_file.hpp"
#include "text/printable.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{30};
// The jobs of a large cluster have some hundred megabytes.
constexpr std::size_t longest_text = std::size_t{1} << 30;
constexpr const char* manifest_name = "snapshot.json";
constexpr int format = 1;

/// Each text of scontrol's, its file in a snapshot, and the words after `scontrol` that print it.
struct Part {
    std::string StateText::*text;
    const char* file;
    std::vector<std::string> words;
};

const std::array<Part, 6>& parts() {
    static const std::array<Part, 6> all{
        Part{&StateText::config, "config.txt", {"show", "config"}},
        Part{&StateText::nodes, "nodes.txt", {"-a", "-d", "-F", "-o", "show", "nodes"}},
        Part{&StateText::jobs, "jobs.txt", {"-a", "-o", "show", "jobs"}},
        Part{&StateText::partitions, "partitions.txt", {"-a", "-o", "show", "partitions"}},
        Part{&StateText::reservations, "reservations.txt", {"-o", "show", "reservations"}},
        Part{&StateText::topology, "topology.txt", {"-o", "show", "topology"}}};
    return all;
}

/// Texts that a snapshot may lack.
constexpr std::array optional_parts{std::pair{&StateText::job_list, "squeue.txt"},
                                    std::pair{&StateText::demand, "demand.txt"}};

std::string user_name() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
    const passwd* user = getpwuid(geteuid());
    return user != nullptr ? user->pw_name : std::to_string(geteuid());
}

/// The parts for which `is_wanted` holds, and the list of jobs with those about jobs.
template <typename Predicate>
StateText ask_slurm(const Predicate& is_wanted) {
    std::vector<ArgumentList> programs;
    std::vector<std::string StateText::*> texts;
    std::string separator;
    for (const Part& part : parts()) {
        if (!is_wanted(part)) continue;
        texts.push_back(part.text);
        programs.push_back({"scontrol"});
        programs.back().insert(programs.back().end(), part.words.begin(), part.words.end());
        if (part.text == &StateText::jobs) separator = new_separator();
    }
    if (!separator.empty()) {
        // The last program: a job that scontrol knows already, squeue knows too.
        texts.push_back(&StateText::job_list);
        programs.push_back(listing_words(separator));
    }
    // A user's own settings must not change the format (times as words, lines cut short) or choose
    // among the jobs (SQUEUE_USERS and the like).
    std::vector<std::string> outputs = run_programs(
        programs, {"SLURM_TIME_FORMAT=standard", "SLURM_TOPO_LEN=1000000", "LC_ALL=C", "SQUEUE_"},
        {patience});
    StateText text;
    for (std::size_t i = 0; i < outputs.size(); ++i) text.*texts[i] = printable_lines(outputs[i]);
    if (!separator.empty()) text.job_list = listing_text(separator, text.job_list);
    return text;
}

std::string read_file(const fs::path& path) {
    std::string text;
    if (const auto failure = nvl72block::read_file(path, longest_text, text))
        throw InputError(path.string(), "cannot be read: " + failure->reason,
                         "pass a directory that nvl72block snapshot wrote");
    return text;
}

/// The only file that the plugin keeps a learned demand in; that of a topology.yaml has the
/// topology's name before its own.
std::string read_demand(const fs::path& state_save_location) {
    std::error_code error;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(state_save_location, error))
        if (entry.path().filename().string().ends_with("nvl72block_demand"))
            found.push_back(entry.path());
    std::string text;
    if (found.size() != 1 || nvl72block::read_file(found.front(), longest_text, text)) return {};
    return text;
}

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream)
        throw InputError(path.string(),
                         "cannot be written: " + std::generic_category().message(errno),
                         "choose a directory that can be written");
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
        throw InputError(folder.string(), "is not a directory", "choose another one");
    if (fs::is_directory(folder, error) && !fs::is_empty(folder, error) &&
        !fs::exists(folder / manifest_name, error))
        throw InputError(folder.string(), "contains files that are not a snapshot",
                         "pass a new directory");
    fs::create_directories(folder, error);
    if (error)
        throw InputError(folder.string(), "cannot be made: " + error.message(),
                         "choose a directory that can be written");
}

}  // namespace

StateText read_live_text(LiveText wanted) {
    StateText text = ask_slurm([wanted](const Part& part) {
        return wanted == LiveText::whole || part.text != &StateText::topology;
    });
    text.user = user_name();
    text.demand = printable_lines(read_demand(parse_config(text.config).state_save_location));
    return text;
}

std::string read_live_topology() {
    return ask_slurm([](const Part& part) { return part.text == &StateText::topology; }).topology;
}

StateText read_snapshot(const std::string& folder) {
    const fs::path path(folder);
    const std::string manifest = read_file(path / manifest_name);
    const auto json = nlohmann::json::parse(manifest, nullptr, false);
    if (!json.is_object() || !json.contains("format") || !json["format"].is_number_integer())
        throw InputError((path / manifest_name).string(), "is not the list of a snapshot",
                         "pass a directory that nvl72block snapshot wrote");
    if (json["format"].get<int>() != format)
        throw InputError((path / manifest_name).string(),
                         fmt::format("has format {}; this command reads format {}",
                                     json["format"].get<int>(), format),
                         "use the nvl72block that wrote it");
    StateText text;
    for (const Part& part : parts()) text.*part.text = printable_lines(read_file(path / part.file));
    for (const auto& [member, name] : optional_parts)
        if (fs::exists(path / name)) text.*member = printable_lines(read_file(path / name));
    if (json.contains("user") && json["user"].is_string())
        text.user = json["user"].get<std::string>();
    return text;
}

void write_snapshot(const std::string& folder, const StateText& text) {
    const fs::path path(folder);
    make_folder(path);
    nlohmann::ordered_json files;
    for (const Part& part : parts()) {
        write_file(path / part.file, text.*part.text);
        std::string command = "scontrol";
        for (const std::string& word : part.words) command += ' ' + word;
        files[part.file] = command;
    }
    for (const auto& [member, name] : optional_parts) {
        fs::remove(path / name);
        if ((text.*member).empty()) continue;
        write_file(path / name, text.*member);
        files[name] = member == &StateText::demand
                          ? "nvl72block_demand of StateSaveLocation"
                          : "the separator, and squeue -O with it behind each field";
    }
    const nlohmann::ordered_json manifest{
        {"format", format}, {"user", text.user}, {"files", files}};
    write_file(path / manifest_name, manifest.dump(2) + '\n');
}

}  // namespace nvl72block::cli
