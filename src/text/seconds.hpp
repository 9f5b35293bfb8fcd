// SPDX-License-Identifier: GPL-2.0-or-later
//
// Seconds in units of time.
#pragma once

#include <cstdint>

namespace nvl72block {

inline constexpr std::int64_t minute = 60;
inline constexpr std::int64_t hour = 60 * minute;
inline constexpr std::int64_t day = 24 * hour;

}  // namespace nvl72block
