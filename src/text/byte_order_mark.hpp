// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>

namespace nvl72block {

/// `text` without the mark that Windows' programs write at the beginning of UTF-8; a view into it.
[[nodiscard]] constexpr std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
}

}  // namespace nvl72block
