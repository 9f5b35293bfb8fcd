// SPDX-License-Identifier: GPL-2.0-or-later
//
// Requests as the surveys of the engine ask them, by kind.
#pragma once

#include <array>
#include <cstdint>

#include "cluster.hpp"

namespace nvl72block::bench {

enum class Kind {
    plain_rack,
    plain_large,
    segmented,
    large_segments,
    spread,
    large_spread,
    limited,
    exclusive,
    range,
    totals,
};
inline constexpr std::array kinds{
    Kind::plain_rack,   Kind::plain_large, Kind::segmented, Kind::large_segments, Kind::spread,
    Kind::large_spread, Kind::limited,     Kind::exclusive, Kind::range,          Kind::totals};

[[nodiscard]] const char* name_of(Kind kind);

/// A request of one kind, by policy pack, where a base block is planned with `rack` nodes.
[[nodiscard]] Request request_of(Random& random, Kind kind, std::uint32_t rack);

}  // namespace nvl72block::bench
