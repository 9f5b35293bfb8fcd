// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

namespace nvl72block {

/// Whether `word` is one of the comma-separated words, as of a job's partitions or a node's
/// features.
[[nodiscard]] inline bool has_word(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::string_view first = words.substr(0, words.find(','));
        if (first == word) return true;
        words.remove_prefix(std::min(first.size() + 1, words.size()));
    }
    return false;
}

}  // namespace nvl72block
