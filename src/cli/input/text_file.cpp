// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "cli/input/input_error.hpp"
#include "text/blanks.hpp"
#include "text/byte_order_mark.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t max_line_length = 1U << 20;

std::ifstream open(const std::string& option, const std::string& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw InputError(option, fmt::format("\"{}\" is a directory", file), "pass a file");
    std::ifstream stream(file);
    if (!stream)
        throw InputError(
            option,
            fmt::format("\"{}\" cannot be read: {}", file, std::generic_category().message(errno)),
            "pass a file that exists and can be read");
    return stream;
}

/// `line` without its comment and without blanks at its ends.
std::string content(std::string_view line) {
    return std::string(trim(line.substr(0, line.find('#'))));
}

}  // namespace

std::vector<TextLine> read_lines(const std::string& option, const std::string& file) {
    std::ifstream stream = open(option, file);
    std::vector<TextLine> lines;
    unsigned number = 0;
    for (std::string text; std::getline(stream, text);) {
        ++number;
        std::string location = fmt::format("{}:{}", file, number);
        if (text.size() > max_line_length || text.find('\0') != std::string::npos)
            throw InputError(location, "is not a text file", "pass a text file");
        text = content(number == 1 ? without_mark(text) : text);
        if (!text.empty()) lines.push_back({std::move(location), number, std::move(text)});
    }
    return lines;
}

void check_readable(const std::string& option, const std::string& file) {
    (void)open(option, file);
}

}  // namespace nvl72block::cli
