// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace nvl72block {

/// The least value of a convex function on the prices 0 to `dearest`.
template <typename Function>
[[nodiscard]] std::uint64_t lowest_price(std::uint64_t dearest, Function value) {
    std::uint64_t low = 0;
    std::uint64_t high = dearest;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (value(middle) <= value(middle + 1))
            high = middle;
        else
            low = middle + 1;
    }
    return value(low);
}

}  // namespace nvl72block
