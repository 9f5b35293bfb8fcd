// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pieces of text: lines and the words on them.
#pragma once

#include <algorithm>
#include <string_view>

namespace nvl72block {

inline constexpr std::string_view word_blanks = " \t\r\n\v\f";

/// Takes the first line off `text`, without its end.
[[nodiscard]] inline std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// Takes the first word off `text`; empty when there is none left.
[[nodiscard]] inline std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(word_blanks), text.size()));
    const std::size_t end = std::min(text.find_first_of(word_blanks), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

/// `text` without blanks at its ends.
[[nodiscard]] inline std::string_view without_blanks(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(word_blanks), text.size()));
    return text.substr(0, text.find_last_not_of(word_blanks) + 1);
}

}  // namespace nvl72block
