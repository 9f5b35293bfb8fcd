// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/nearest_key.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "text/ignoring_case.hpp"

namespace nvl72block {
namespace {

/// Levenshtein's distance, one row of the table at a time.
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const bool same = equals_ignoring_case(from.substr(i, 1), to.substr(j, 1));
            const std::size_t replaced = diagonal + (same ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::optional<std::string_view> nearest_key(std::string_view typed,
                                            std::span<const std::string_view> keys) {
    std::optional<std::string_view> best;
    std::size_t best_distance = 0;
    for (const std::string_view key : keys) {
        if (typed.size() > 2 * key.size()) continue;  // too far, and perhaps very long
        const std::size_t steps = distance(typed, key);
        if (2 * steps > key.size() || (best && steps >= best_distance)) continue;
        best = key;
        best_distance = steps;
    }
    return best;
}

}  // namespace nvl72block
