// SPDX-License-Identifier: GPL-2.0-or-later
//
// Costs as rows of words: they are compared by the first word that differs, and added word by word.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nvl72block {

/// Whether a row is `a` and `b` together.
[[nodiscard]] inline bool is_sum(const std::uint64_t* row, const std::uint64_t* a,
                                 const std::uint64_t* b, std::size_t words) {
    for (std::size_t i = 0; i < words; ++i)
        if (a[i] + b[i] != row[i]) return false;
    return true;
}

/// Lowers a row to `a` and `b` together if this is less; whether it was.
inline bool lower_to_sum(std::uint64_t* row, const std::uint64_t* a, const std::uint64_t* b,
                         std::size_t words) {
    std::size_t i = 0;
    while (i < words && a[i] + b[i] == row[i]) ++i;
    if (i == words || a[i] + b[i] > row[i]) return false;
    for (; i < words; ++i) row[i] = a[i] + b[i];
    return true;
}

}  // namespace nvl72block
