// SPDX-License-Identifier: GPL-2.0-or-later
//
// std::partition_point over numbers: std::views::iota, which would do, Clang 14 cannot compile.
#pragma once

namespace nvl72block {

/// The first number of [first, last) for which `holds` is false; `last` if there is none. Numbers
/// for which it is true must come before all others.
template <typename Number, typename Holds>
[[nodiscard]] Number first_failing(Number first, Number last, Holds holds) {
    while (first < last) {
        const Number middle = first + (last - first) / 2;
        if (holds(middle))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

}  // namespace nvl72block
