// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

namespace nvl72block {

/// Equality of texts in which the case of ASCII letters does not matter, whatever the locale.
[[nodiscard]] constexpr bool equals_ignoring_case(std::string_view left, std::string_view right) {
    constexpr auto lower = [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    };
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [&](char a, char b) { return lower(a) == lower(b); });
}

[[nodiscard]] constexpr bool starts_with_ignoring_case(std::string_view text,
                                                       std::string_view start) {
    return equals_ignoring_case(text.substr(0, start.size()), start);
}

}  // namespace nvl72block
