// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pieces of text: lines and the words on them.
#pragma once

#include <algorithm>
#include <string_view>

#include "text/blanks.hpp"
#include "text/take_item.hpp"

namespace nvl72block {

/// Once in the output of nvidia-smi -q.
inline constexpr std::string_view nvidia_smi_title = "NVSMI LOG";

/// Takes the first line off `text`, without its end.
[[nodiscard]] inline std::string_view take_line(std::string_view& text) {
    return take_item(text, '\n');
}

/// Takes the first word off `text`; empty when there is none left.
[[nodiscard]] inline std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

}  // namespace nvl72block
