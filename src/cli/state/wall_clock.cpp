// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/wall_clock.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <vector>

#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::int64_t minute = 60;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t day = 24 * hour;

/// The number in text[at, at + length), or -1.
int digits(std::string_view text, std::size_t at, std::size_t length) {
    return number_of<int>(text.substr(at, length)).value_or(-1);
}

std::chrono::sys_seconds instant(SlurmTime time) {
    return std::chrono::sys_seconds(std::chrono::seconds(time));
}

}  // namespace

std::optional<SlurmTime> parse_time(std::string_view text) {
    // 2026-11-22T20:51:14
    if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
        text[13] != ':' || text[16] != ':')
        return std::nullopt;
    const std::chrono::year_month_day date(
        std::chrono::year(digits(text, 0, 4)),
        std::chrono::month(static_cast<unsigned>(digits(text, 5, 2))),
        std::chrono::day(static_cast<unsigned>(digits(text, 8, 2))));
    const int hours = digits(text, 11, 2);
    const int minutes = digits(text, 14, 2);
    const int seconds = digits(text, 17, 2);
    if (!date.ok() || hours < 0 || minutes < 0 || seconds < 0) return std::nullopt;
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return days * day + hours * hour + minutes * minute + seconds;
}

std::string time_text(SlurmTime time) {
    const auto days = std::chrono::floor<std::chrono::days>(instant(time));
    const std::chrono::year_month_day date(days);
    const std::int64_t rest = (instant(time) - days).count();
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       rest / hour, rest % hour / minute);
}

std::string short_time(SlurmTime time, SlurmTime now) {
    const std::string text = time_text(time);
    return text.substr(0, 10) == time_text(now).substr(0, 10) ? text.substr(11) : text;
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
    std::int64_t days = 0;
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        const auto number = number_of<std::int64_t>(text.substr(0, dash));
        if (!number || *number < 0 || *number > 1000000) return std::nullopt;
        days = *number;
        text.remove_prefix(dash + 1);
    }
    if (text.size() != 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
    const int hours = digits(text, 0, 2);
    const int minutes = digits(text, 3, 2);
    const int seconds = digits(text, 6, 2);
    if (hours < 0 || minutes < 0 || seconds < 0) return std::nullopt;
    return days * day + hours * hour + minutes * minute + seconds;
}

std::optional<std::int64_t> parse_time_limit(std::string_view text) {
    constexpr std::int64_t most = 1000000;
    const std::size_t dash = text.find('-');
    std::vector<std::int64_t> numbers;
    for (std::string_view rest = text;;) {
        const std::size_t end = rest.find_first_of("-:");
        const auto number = number_of<std::int64_t>(rest.substr(0, end));
        if (!number || *number < 0 || *number > most) return std::nullopt;
        numbers.push_back(*number);
        if (end == std::string_view::npos) break;
        if (rest[end] == '-' && numbers.size() > 1) return std::nullopt;
        rest.remove_prefix(end + 1);
    }
    const bool has_days = dash != std::string_view::npos;
    if (numbers.size() > (has_days ? 4U : 3U)) return std::nullopt;
    // The unit of the first number: days, or what is left of hours, minutes and seconds.
    constexpr std::array units{day, hour, minute, std::int64_t{1}};
    std::size_t unit = has_days ? 0 : numbers.size() == 3 ? 1 : 2;
    std::int64_t seconds = 0;
    for (const std::int64_t number : numbers) seconds += number * units[unit++];
    return seconds;
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
