// SPDX-License-Identifier: GPL-2.0-or-later
//
// The syntax below topology.conf: lines, comments, continuation, KEY=VALUE pairs. No meaning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nvl72block {

/// What is left of one or more physical lines that `\` joins, without comment and escapes.
struct LogicalLine {
    std::string text;
    unsigned number = 0;  ///< where it starts, from 1
};

/// Splits a text into its logical lines; blank ones are left out. LF and CRLF end a line.
[[nodiscard]] std::vector<LogicalLine> split_lines(std::string_view text);

struct KeyValue {
    std::string_view key;
    std::string_view value;  ///< without the quotes
};

/// The pairs at the beginning of a logical line, and the text after them that is no pair.
struct KeyValueLine {
    std::vector<KeyValue> pairs;
    std::string_view rest;
};

/// Blanks may stand around `=`; a value is a word or a quoted text. Views into `line`.
[[nodiscard]] KeyValueLine split_pairs(std::string_view line);

}  // namespace nvl72block
