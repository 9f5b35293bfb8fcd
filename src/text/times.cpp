// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/times.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "text/number.hpp"
#include "text/seconds.hpp"

namespace nvl72block {
namespace {

/// Of "+90", "+1hour" or "": seconds, or the unit that is named.
std::optional<SlurmTime> after(std::string_view delta, SlurmTime now) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> units{
        {{"second", 1}, {"minute", minute}, {"hour", hour}, {"day", day}, {"week", 7 * day}}};
    if (delta.empty()) return now;
    if (!delta.starts_with('+')) return std::nullopt;
    delta.remove_prefix(1);
    const std::size_t digits = std::min(delta.find_first_not_of("0123456789"), delta.size());
    const auto count = number_of<std::uint32_t>(delta.substr(0, digits));
    std::string_view named = delta.substr(digits);
    if (named.empty()) named = units.front().first;
    if (named.ends_with('s')) named.remove_suffix(1);
    for (const auto& [unit, seconds] : units)
        if (count && named == unit) return now + std::int64_t{*count} * seconds;
    return std::nullopt;
}

/// "20:51" or "20:51:14", with the day before it.
std::optional<SlurmTime> on_day(std::string day_text, std::string_view clock) {
    day_text += 'T';
    if (clock.find(':') == 1) day_text += '0';
    day_text += clock;
    if (std::ranges::count(clock, ':') == 1) day_text += ":00";
    return parse_time(day_text);
}

}  // namespace

std::optional<SlurmTime> parse_time(std::string_view text) {
    constexpr std::string_view form = "2026-11-22T20:51:14";
    if (text.size() != form.size()) return std::nullopt;
    std::string written(text);
    if (written[10] == ' ') written[10] = 'T';
    // strptime() skips blanks, and takes a year with fewer digits.
    if (written.find_first_not_of("0123456789-T:") != std::string::npos) return std::nullopt;
    std::tm read{};
    const char* end = strptime(written.c_str(), "%Y-%m-%dT%H:%M:%S", &read);
    if (end != written.c_str() + written.size()) return std::nullopt;
    const int written_day = read.tm_mday;
    const std::time_t seconds = timegm(&read);
    if (read.tm_mday != written_day) return std::nullopt;  // 30 February
    return seconds;
}

std::optional<SlurmTime> parse_moment(std::string_view text, SlurmTime now) {
    constexpr std::size_t date = 10;  // characters of "2026-11-22"
    if (text.starts_with("now")) return after(text.substr(3), now);
    if (text.size() == date) return on_day(std::string(text), "00:00");
    if (text.size() > date && text[date] == 'T')
        return on_day(std::string(text.substr(0, date)), text.substr(date + 1));
    const auto clock = on_day("1970-01-01", text);
    if (!clock) return std::nullopt;
    // To the minute, as Slurm compares.
    const bool today = *clock / minute > now % day / minute;
    return now - now % day + *clock + (today ? 0 : day);
}

std::optional<std::int64_t> parse_time_limit(std::string_view text) {
    constexpr std::int64_t most = 1000000;
    constexpr std::array<std::int64_t, 4> units{86400, 3600, 60, 1};
    const bool has_days = text.find('-') != std::string_view::npos;
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
    if (numbers.size() > (has_days ? 4U : 3U)) return std::nullopt;
    // The unit of the first number: days, or what is left of hours, minutes and seconds.
    std::size_t unit = has_days ? 0 : numbers.size() == 3 ? 1 : 2;
    std::int64_t seconds = 0;
    for (const std::int64_t number : numbers) seconds += number * units[unit++];
    return seconds;
}

}  // namespace nvl72block
