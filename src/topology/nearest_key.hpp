// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which key a mistyped one was meant to be.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace nvl72block {

/// The key that takes the fewest insertions, deletions and replacements of letters (case ignored)
/// to reach from `typed`; nullopt if even that is more than half its letters.
[[nodiscard]] std::optional<std::string_view> nearest_key(std::string_view typed,
                                                          std::span<const std::string_view> keys);

}  // namespace nvl72block
