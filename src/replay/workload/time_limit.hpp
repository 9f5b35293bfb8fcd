// SPDX-License-Identifier: GPL-2.0-or-later
//
// The time limit of a job, which backfill plans with.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nvl72block::replay {

enum class Limits {
    exact,    ///< the duration itself: nobody knows so much, but nothing depends on guesses
    typical,  ///< as recorded; where it is not, the duration rounded up to what people ask for
};

/// "exact" or "typical"; nullopt for anything else.
[[nodiscard]] std::optional<Limits> parse_limits(std::string_view text);

/// `duration` rounded up to 10 or 30 minutes, 1, 2, 4, 8 or 12 hours, 1, 2, 3, 7 or 14 days, or to
/// multiples of 30 days.
[[nodiscard]] std::int64_t rounded_limit(std::int64_t duration);

/// Seconds, never less than `duration`. `recorded` is 0 where the log has no limit.
[[nodiscard]] std::int64_t time_limit(Limits limits, std::int64_t duration, std::int64_t recorded);

}  // namespace nvl72block::replay
