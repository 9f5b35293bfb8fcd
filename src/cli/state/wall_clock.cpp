// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/wall_clock.hpp"

#include <fmt/chrono.h>

#include <chrono>

#include "text/seconds.hpp"

namespace nvl72block::cli {

std::string time_text(SlurmTime time) {
    return fmt::format("{:%Y-%m-%d %H:%M}", std::chrono::sys_seconds(std::chrono::seconds(time)));
}

std::string short_time(SlurmTime time, SlurmTime now) {
    const std::string text = time_text(time);
    return text.substr(0, 10) == time_text(now).substr(0, 10) ? text.substr(11) : text;
}

std::string duration_text(std::int64_t seconds) {
    if (seconds < minute) return fmt::format("{} s", seconds);
    if (seconds < hour) return fmt::format("{} min", seconds / minute);
    if (seconds < day)
        return seconds % hour < minute
                   ? fmt::format("{} h", seconds / hour)
                   : fmt::format("{} h {} min", seconds / hour, seconds % hour / minute);
    return seconds % day < hour ? fmt::format("{} d", seconds / day)
                                : fmt::format("{} d {} h", seconds / day, seconds % day / hour);
}

}  // namespace nvl72block::cli
