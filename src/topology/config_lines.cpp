// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/config_lines.hpp"

#include <cctype>
#include <utility>

#include "text/blanks.hpp"

namespace nvl72block {
namespace {

bool is_blank(char letter) {
    return blanks.find(letter) != blanks.npos;
}

bool is_key_letter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
}

/// One physical line without comment; `continues` tells that a `\` ended it (and is removed).
struct PhysicalLine {
    std::string text;
    bool continues = false;
};

/// Undoes the escapes in one pass: `\#` and `\\` stand for the second character.
PhysicalLine read_physical(std::string_view raw) {
    PhysicalLine out;
    for (std::size_t i = 0; i < raw.size() && raw[i] != '#'; ++i) {
        if (raw[i] != '\\') {
            out.text += raw[i];
            continue;
        }
        const std::size_t next = raw.find_first_not_of(blanks, i + 1);
        const bool only_comment = next != raw.npos && next > i + 1 && raw[next] == '#';
        if (next == raw.npos || only_comment) {
            out.continues = true;
            break;
        }
        out.text += raw[++i];
    }
    return out;
}

void skip_blanks(std::string_view text, std::size_t& at) {
    while (at < text.size() && is_blank(text[at])) ++at;
}

/// Reads the value that starts at `at`, and moves `at` behind it.
bool read_value(std::string_view line, std::size_t& at, std::string_view& value) {
    if (at >= line.size()) return false;
    if (line[at] == '"') {
        const std::size_t close = line.find('"', at + 1);
        const bool ends_word = close != std::string_view::npos &&
                               (close + 1 == line.size() || is_blank(line[close + 1]));
        if (ends_word) {
            value = line.substr(at + 1, close - at - 1);
            at = close + 1;
            return true;
        }
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    value = line.substr(begin, at - begin);
    return true;
}

/// Reads the pair that starts at `at`, and moves `at` behind it; leaves `at` alone if there is
/// none.
bool read_pair(std::string_view line, std::size_t& at, KeyValue& pair) {
    std::size_t next = at;
    while (next < line.size() && is_key_letter(line[next])) ++next;
    if (next == at) return false;
    pair.key = line.substr(at, next - at);
    skip_blanks(line, next);
    // Slurm's parser reads += and its like as well; for these keys they mean the same as =.
    constexpr std::string_view operators = "-*+/";
    if (next < line.size() && operators.find(line[next]) != std::string_view::npos) ++next;
    if (next >= line.size() || line[next] != '=') return false;
    ++next;
    skip_blanks(line, next);
    if (!read_value(line, next, pair.value)) return false;
    at = next;
    return true;
}

}  // namespace

std::vector<LogicalLine> split_lines(std::string_view text) {
    std::vector<LogicalLine> lines;
    LogicalLine current;
    unsigned number = 0;
    bool continues = false;
    while (!text.empty()) {
        ++number;
        const std::size_t newline = text.find('\n');
        PhysicalLine physical = read_physical(text.substr(0, newline));
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
        if (!continues) current.number = number;
        current.text += physical.text;
        continues = physical.continues && !text.empty();
        if (continues) continue;
        LogicalLine finished = std::exchange(current, {});
        if (!trim(finished.text).empty()) lines.push_back(std::move(finished));
    }
    return lines;
}

KeyValueLine split_pairs(std::string_view line) {
    KeyValueLine out;
    std::size_t at = 0;
    skip_blanks(line, at);
    KeyValue pair;
    while (at < line.size() && read_pair(line, at, pair)) {
        out.pairs.push_back(pair);
        skip_blanks(line, at);
    }
    out.rest = trim(line.substr(at));
    return out;
}

}  // namespace nvl72block
