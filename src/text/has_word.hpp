// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>

#include "text/take_item.hpp"

namespace nvl72block {

/// Whether `word` is one of the comma-separated words, as of a job's partitions or a node's
/// features.
[[nodiscard]] inline bool has_word(std::string_view words, std::string_view word) {
    while (!words.empty())
        if (take_item(words) == word) return true;
    return false;
}

}  // namespace nvl72block
