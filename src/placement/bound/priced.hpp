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

/// The most that a scope gives in `limited` vertices, where `allowed` of something are allowed that
/// costs a price each: surplus(block, price) is what a base block has beyond it.
template <typename Surplus>
[[nodiscard]] std::uint64_t priced_bound(const Tally& tally, const Problem& problem,
                                         std::uint32_t scope, const LimitedLevel& limited,
                                         std::uint64_t allowed, std::uint64_t dearest,
                                         Surplus surplus) {
    std::vector<std::uint64_t> values;
    return lowest_price(dearest, [&](std::uint64_t price) {
        values.clear();
        for (const std::uint32_t vertex : tally.below(problem.scope_level, scope, limited.level)) {
            std::uint64_t value = 0;
            for (const BlockIndex block : tally.blocks(limited.level, vertex))
                value += surplus(block, price);
            values.push_back(value);
        }
        return price * allowed + sum_of_largest(values, limited.most);
    });
}

}  // namespace nvl72block
