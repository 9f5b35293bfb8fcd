// SPDX-License-Identifier: GPL-2.0-or-later
//
// A bound under two limits: what is limited besides the vertices is priced, and the price is taken
// at which the bound is lowest. Whatever the price, what the best vertices have beyond it, plus the
// price of all that is allowed, is at least what any choice gives.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "placement/rules/problem.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {

/// The sum of the `count` largest values; reorders them.
template <typename Value>
[[nodiscard]] Value sum_of_largest(std::vector<Value>& values, std::uint64_t count) {
    const auto end =
        values.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, values.size()));
    if (end != values.end()) std::nth_element(values.begin(), end, values.end(), std::greater<>());
    return std::accumulate(values.begin(), end, Value{0});
}

/// The least value of a convex function on the prices 0 to `dearest`.
template <typename Function>
[[nodiscard]] std::uint64_t lowest_price(std::uint64_t dearest, Function value) {
    const auto falls = [&](std::uint64_t price) { return value(price) > value(price + 1); };
    return value(first_failing(std::uint64_t{0}, dearest, falls));
}

/// Vertices of a level, of which so many may be used.
struct LimitedLevel {
    std::size_t level = 0;
    std::uint64_t most = 0;
};

/// What the best `limited` vertices of a vertex have together beyond a price: surplus(block, price)
/// is what a base block has.
template <typename Surplus>
[[nodiscard]] std::uint64_t surplus_of(const Tally& tally, std::size_t level, std::uint32_t index,
                                       const LimitedLevel& limited, std::uint64_t price,
                                       Surplus surplus) {
    const Vertices vertices = tally.below(level, index, limited.level);
    std::vector<std::uint64_t> values(vertices.size());
    for (const std::uint32_t vertex : vertices) {
        std::uint64_t& value = values[vertex - vertices.first];
        if (limited.level == 0) {
            value = surplus(vertex, price);
            continue;
        }
        for (const BlockIndex block : tally.blocks(limited.level, vertex))
            value += surplus(block, price);
    }
    return sum_of_largest(values, limited.most);
}

/// Whether a convex function reaches `least` at every price from 0 to `dearest`. `tried`: a price
/// at which it was low before; then that of its least value.
template <typename Function>
[[nodiscard]] bool reaches(std::uint64_t least, std::uint64_t dearest, std::uint64_t& tried,
                           Function value) {
    const auto start = value(tried);
    bool below = start < least;
    const auto falls = [&](std::uint64_t price) {
        if (below) return false;
        const std::uint64_t here = price == tried ? start : value(price);
        const std::uint64_t next = price + 1 == tried ? start : value(price + 1);
        below = std::min(here, next) < least;
        if (below) tried = here < next ? price : price + 1;
        return here > next;
    };
    if (below) return false;
    // Mostly it is least where it was before.
    const bool up = tried < dearest && falls(tried);
    const std::uint64_t first = up ? tried + 1 : tried > 0 && falls(tried - 1) ? tried : 0;
    const std::uint64_t price = first_failing(first, up ? dearest : tried, falls);
    if (!below) tried = price;
    return !below;
}

}  // namespace nvl72block
