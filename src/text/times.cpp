// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/times.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "text/number.hpp"

namespace nvl72block {

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
    const int day = read.tm_mday;
    const std::time_t seconds = timegm(&read);
    if (read.tm_mday != day) return std::nullopt;  // 30 February
    return seconds;
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
