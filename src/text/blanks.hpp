// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

namespace nvl72block {

/// What separates words, in every text that is read.
inline constexpr std::string_view blanks = " \t\r\n\v\f";

/// `text` without blanks at its ends; a view into it.
[[nodiscard]] constexpr std::string_view trim(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);  // npos + 1 is 0
}

}  // namespace nvl72block
