// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/time_limit.hpp"

#include <algorithm>
#include <array>

#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

constexpr std::int64_t month = 30 * day;
constexpr std::array ladder = {10 * minute, 30 * minute, 1 * hour, 2 * hour, 4 * hour, 8 * hour,
                               12 * hour,   1 * day,     2 * day,  3 * day,  7 * day,  14 * day};

}  // namespace

std::optional<Limits> parse_limits(std::string_view text) {
    if (text == "exact") return Limits::exact;
    if (text == "typical") return Limits::typical;
    return std::nullopt;
}

std::int64_t rounded_limit(std::int64_t duration) {
    const auto step = std::lower_bound(ladder.begin(), ladder.end(), duration);
    return step != ladder.end() ? *step : (duration + month - 1) / month * month;
}

std::int64_t time_limit(Limits limits, std::int64_t duration, std::int64_t recorded) {
    if (limits == Limits::exact) return duration;
    return recorded != 0 ? std::max(duration, recorded) : rounded_limit(duration);
}

}  // namespace nvl72block::replay
