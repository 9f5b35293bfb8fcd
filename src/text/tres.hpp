// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of trackable resources, such as "cpu=8,mem=1G,gres/gpu=64,gres/gpu:gb200=64".
#pragma once

#include <algorithm>
#include <string_view>

#include "text/take_item.hpp"

namespace nvl72block {

/// Calls visit(name, amount) for each entry; `amount` is empty where there is no "=".
template <typename Visit>
void for_each_tres(std::string_view list, Visit visit) {
    while (!list.empty()) {
        const std::string_view entry = take_item(list);
        const std::size_t equals = std::min(entry.find('='), entry.size());
        visit(entry.substr(0, equals), entry.substr(std::min(equals + 1, entry.size())));
    }
}

}  // namespace nvl72block
