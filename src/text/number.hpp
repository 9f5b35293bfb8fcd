// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace nvl72block {

/// The number that all of `text` is, in decimal and without blanks or a plus sign; nullopt for
/// anything else, a number beyond the range of the type or one that is not finite.
template <typename Number>
[[nodiscard]] std::optional<Number> number_of(std::string_view text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || rest != end) return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>)
        if (!std::isfinite(number)) return std::nullopt;
    return number;
}

}  // namespace nvl72block
