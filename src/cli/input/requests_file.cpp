// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/requests_file.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "cli/input/input_error.hpp"
#include "cli/input/text_file.hpp"

namespace nvl72block::cli {
namespace {

/// Words in the reversed order that CLI11 wants. Node lists hold no blanks, so there is no quoting.
std::vector<std::string> reversed_words(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    std::reverse(words.begin(), words.end());
    return words;
}

}  // namespace

JobRequest parse_request_line(const std::string& place, const std::string& line) {
    CLI::App app;
    app.set_help_flag();  // a line asks for a job, not for help
    RequestOptions options;
    add_request_options(app, options);
    try {
        app.parse(reversed_words(line));
    } catch (const CLI::Error& error) {
        throw InputError(place, error.what(),
                         "write the options of one job, e.g. --nodes=64 --segment=16");
    }
    JobRequest request = checked_request(options, place);
    request.text = line;
    return request;
}

std::vector<JobRequest> read_requests(const std::string& file) {
    std::vector<JobRequest> requests;
    for (const TextLine& line : read_lines("--requests", file)) {
        requests.push_back(parse_request_line(line.place, line.text));
        requests.back().line = line.number;
    }
    if (requests.empty())
        throw InputError(file, "contains no request", "write one job per line, e.g. --nodes=4");
    return requests;
}

}  // namespace nvl72block::cli
