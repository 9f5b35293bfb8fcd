// SPDX-License-Identifier: GPL-2.0-or-later
//
// Islands of one base block for tests, as pairs of usable and, of these, required nodes.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "placement/state/island_offers.hpp"

namespace nvl72block::testing {

inline std::vector<IslandOffer> islands_of(
    std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> list) {
    std::vector<IslandOffer> offers;
    for (const auto& [free, required] : list)
        offers.push_back({static_cast<std::uint32_t>(offers.size()), free, required, {}});
    return offers;
}

}  // namespace nvl72block::testing
