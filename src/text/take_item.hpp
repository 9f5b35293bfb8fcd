// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

namespace nvl72block {

/// Takes the first entry off a list, and the mark behind it.
[[nodiscard]] inline std::string_view take_item(std::string_view& list, char mark = ',') {
    const std::string_view item = list.substr(0, list.find(mark));
    list.remove_prefix(std::min(item.size() + 1, list.size()));
    return item;
}

}  // namespace nvl72block
