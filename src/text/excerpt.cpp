// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/excerpt.hpp"

#include <algorithm>

#include "text/printable.hpp"

namespace nvl72block {

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 100;
    std::size_t end = 0;
    while (end < text.size() && end < longest) end += first_character(text.substr(end)).bytes;
    return printable(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

}  // namespace nvl72block
