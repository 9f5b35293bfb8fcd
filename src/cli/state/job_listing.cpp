// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/job_listing.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/inventory/words.hpp"
#include "cli/state/record.hpp"
#include "text/blanks.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace nvl72block::cli {
namespace {

/// squeue's fields and the words of scontrol for the same, in the order of a row.
constexpr std::array<std::pair<const char*, std::string_view>, 39> fields{{
    {"JobId", "JobId"},
    {"ArrayJobId", "ArrayJobId"},
    {"ArrayTaskId", "ArrayTaskId"},
    {"HetJobId", "HetJobId"},
    {"HetJobOffset", "HetJobOffset"},
    {"UserName", "UserId"},
    {"PriorityLong", "Priority"},
    {"State", "JobState"},
    {"Reason", "Reason"},
    {"Dependency", "Dependency"},
    {"TimeLimit", "TimeLimit"},
    {"SubmitTime", "SubmitTime"},
    {"EligibleTime", "EligibleTime"},
    {"StartTime", "StartTime"},
    {"EndTime", "EndTime"},
    {"Partition", "Partition"},
    {"ReqNodes", "ReqNodeList"},
    {"ExcNodes", "ExcNodeList"},
    {"NodeList", "NodeList"},
    {"NumNodes", "NumNodes"},
    {"MaxNodes", ""},
    {"NumCPUs", "NumCPUs"},
    {"NumTasks", "NumTasks"},
    {"MinCPUs", "MinCPUsNode"},
    {"Feature", "Features"},
    {"Reservation", "Reservation"},
    {"OverSubscribe", "OverSubscribe"},
    {"Exclusive", "Exclusive"},  // from 26.05 on
    {"Contiguous", "Contiguous"},
    {"SegmentSize", "SegmentSize"},  // from 25.05 on
    {"tres-per-job", "TresPerJob"},
    {"tres-per-node", "TresPerNode"},
    {"tres-per-task", "TresPerTask"},
    {"tres-per-socket", "TresPerSocket"},
    {"tres-alloc", "TRES"},  // of a waiting job, what it asks for
    {"cpus-per-task", "CPUs/Task"},
    {"NTPerNode", "NTasksPerNode"},
    {"system_comment", "SystemComment"},
    {"Name", "JobName"},
}};

/// The position of a field in a row.
constexpr std::size_t field(std::string_view name) {
    for (std::size_t at = 0; at < fields.size(); ++at)
        if (fields[at].first == name) return at;
    return fields.size();
}

using Row = std::vector<std::string_view>;

[[noreturn]] void throw_incomplete(std::size_t row) {
    throw InputError("squeue", fmt::format("its list is not complete at job {}", row),
                     "try again, or save its output unchanged");
}

/// The rows of a listing. A header of squeue's before the first number is left out.
std::vector<Row> rows_of(std::string_view listing) {
    const std::string_view separator = take_line(listing);
    if (separator.empty()) throw_incomplete(1);
    std::vector<Row> rows;
    std::size_t end = listing.find(separator);
    for (; end != std::string_view::npos; end = listing.find(separator)) {
        if (rows.empty() || rows.back().size() == fields.size()) rows.emplace_back();
        rows.back().push_back(listing.substr(0, end));
        listing.remove_prefix(end + separator.size());
    }
    for (Row& row : rows) {
        row.front().remove_prefix(row.front().rfind('\n') + 1);  // npos + 1 is 0
        if (row.size() != fields.size() || !number_of<std::uint32_t>(row.front()))
            throw_incomplete(static_cast<std::size_t>(&row - rows.data()) + 1);
    }
    if (!rows.empty() && !trim(listing).empty()) throw_incomplete(rows.size() + 1);
    return rows;
}

/// What is known of one job's own text in scontrol's output.
struct OwnText {
    std::string_view line;
    bool doubtful = false;
};

using OwnTexts = std::unordered_map<std::uint32_t, OwnText>;

/// The number of the job that a line begins with, if it is one of `jobs`.
std::optional<std::uint32_t> listed_job(std::string_view line,
                                        const std::set<std::uint32_t>& jobs) {
    const Record record(line);
    if (!line.starts_with("JobId=")) return std::nullopt;
    const auto number = number_of<std::uint32_t>(record.value("JobId"));
    return number && jobs.contains(*number) ? number : std::nullopt;
}

/// A text with a line feed ends the line of its job and begins another one. So a line is a job's
/// own only if it and the next one begin with the numbers of listed jobs that no other line has.
OwnTexts own_texts(std::string_view text, const std::set<std::uint32_t>& jobs, Notes& notes) {
    OwnTexts found;
    std::unordered_map<std::uint32_t, OwnText*> before;  // the text before a job's line
    OwnText* last = nullptr;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const auto number = listed_job(line, jobs);
        if (!number) {
            if (last != nullptr)
                last->doubtful = true;
            else if (!line.starts_with("JobId=") && !line.starts_with("No jobs"))
                notes.add(fmt::format("a line about jobs is not understood: {}", excerpt(line)));
            continue;
        }
        const auto [own, is_new] = found.try_emplace(*number, OwnText{line});
        if (is_new) {
            before[*number] = last;
        } else {
            own->second.doubtful = true;
            for (OwnText* neighbour : {before[*number], last})
                if (neighbour != nullptr) neighbour->doubtful = true;
        }
        last = &own->second;
    }
    return found;
}

/// The text from " KEY=" on, where it is in `line` once: what scontrol always prints, and what is
/// there once, scontrol has printed.
std::optional<std::string_view> only(std::string_view line, std::string_view key) {
    const std::string word = fmt::format(" {}=", key);
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos || line.find(word, at + 1) != std::string_view::npos)
        return std::nullopt;
    return line.substr(at + 1);
}

/// What only scontrol prints: words to be added to a job's line. nullopt: not to be told from what
/// the job's text contains.
std::optional<std::string> words_of_scontrol(std::string_view line, bool has_segments) {
    auto nodes = only(line, "NumNodes");
    auto memory = only(line, "MinCPUsNode");
    auto segments = has_segments ? only(line, "SegmentSize") : std::string_view{};
    if (!nodes || !memory || !segments) return std::nullopt;
    std::string words = fmt::format(" {}", take_word(*nodes));
    (void)take_word(*memory);
    if (const std::string_view word = take_word(*memory); word.starts_with("MinMemory"))
        words += fmt::format(" {}", word);
    (void)take_word(*segments);
    for (const std::string_view option : {"SpreadSegments=Yes", "ConsolidateSegments=Yes"}) {
        std::string_view rest = *segments;
        if (take_word(rest) != option) continue;
        words += fmt::format(" {}", option);
        *segments = rest;
    }
    return words;
}

bool is_absent(std::string_view value) {
    constexpr std::string_view no_value = "4294967294";  // NO_VAL, as of NumTasks
    return value.empty() || value == "N/A" || value == "(null)" || value == no_value;
}

/// A field without blanks, as a word of a line.
std::string word_of(std::string_view value) {
    std::string word = printable(value);
    std::ranges::replace(word, ' ', '_');
    return word;
}

/// "2-4", as scontrol shows the nodes that a pending job asks for.
std::string node_range(const Row& row) {
    const auto least = number_or_zero(row[field("NumNodes")]);
    const auto most = number_or_zero(row[field("MaxNodes")]);
    if (row[field("State")] != "PENDING") return fmt::to_string(least);
    return fmt::format("{}-{}", std::min(least, most), most);
}

std::string line_of(const Row& row, const std::optional<std::string>& words) {
    std::string line;
    const bool is_task = !is_absent(row[field("ArrayTaskId")]);
    for (std::size_t at = 0; at < field("system_comment"); ++at) {
        const std::string_view key = fields[at].second;
        if (key.empty() || is_absent(row[at]) || (key == "ArrayJobId" && !is_task)) continue;
        if (key == "NumNodes") {
            line += words ? *words : fmt::format(" NumNodes={}", node_range(row));
            continue;
        }
        line += fmt::format("{}{}={}", line.empty() ? "" : " ", key, word_of(row[at]));
    }
    if (const auto comment = row[field("system_comment")]; !is_absent(comment))
        line += fmt::format(" SystemComment={}", printable(comment));
    return line;
}

void note_doubtful(const std::vector<std::uint32_t>& jobs, Notes& notes) {
    if (jobs.empty()) return;
    constexpr std::size_t most_named = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(most_named, jobs.size()); ++i)
        names += fmt::format("{}{}", i == 0 ? "" : ", ", jobs[i]);
    if (jobs.size() > most_named) names += fmt::format(" and {} more", jobs.size() - most_named);
    notes.add(fmt::format(
        "{} {}: a name, comment or path contains what scontrol prints for jobs, and cannot be "
        "trusted; state, nodes and all that counts are squeue's, memory per node and options of "
        "segments are not considered",
        jobs.size() == 1 ? "job" : "jobs", names));
}

}  // namespace

std::string new_separator() {
    std::array<std::uint64_t, 2> random{};
    if (getrandom(random.data(), sizeof random, 0) != static_cast<ssize_t>(sizeof random))
        throw InputError("getrandom", std::generic_category().message(errno), "try again");
    return fmt::format("|{:016x}{:016x}|", random[0], random[1]);
}

std::vector<std::string> listing_words(const std::string& separator) {
    std::string format;
    for (const auto& [name, key] : fields)  // width 0: as wide as the value is
        format += fmt::format("{}{}:0{}", format.empty() ? "" : ",", name, separator);
    return {"squeue", "-h", "-a", "-t", "all", "--local", "--noconvert", "-O", format};
}

std::string listing_text(const std::string& separator, const std::string& output) {
    return separator + '\n' + output;
}

std::vector<ListedJob> listed_jobs(std::string_view listing, std::string_view text, Notes& notes) {
    std::vector<Row> rows = rows_of(listing);
    const auto number = [](const Row& row) { return number_or_zero(row.front()); };
    std::ranges::stable_sort(rows, {}, number);
    std::set<std::uint32_t> numbers;
    for (const Row& row : rows) numbers.insert(static_cast<std::uint32_t>(number(row)));
    const OwnTexts texts = own_texts(text, numbers, notes);
    std::vector<ListedJob> jobs;
    std::vector<std::uint32_t> doubtful;
    for (const Row& row : rows) {
        std::optional<std::string> words;
        const auto id = static_cast<std::uint32_t>(number(row));
        if (const auto own = texts.find(id); own != texts.end()) {
            if (!own->second.doubtful)
                words = words_of_scontrol(own->second.line,
                                          number_or_zero(row[field("SegmentSize")]) > 0);
            if (!words) doubtful.push_back(id);
        }
        jobs.push_back({line_of(row, words), printable(row[field("Name")])});
    }
    note_doubtful(doubtful, notes);
    return jobs;
}

}  // namespace nvl72block::cli
