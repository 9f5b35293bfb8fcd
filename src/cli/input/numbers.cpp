// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/numbers.hpp"

#include <fmt/format.h>

#include <limits>

#include "cli/input/input_error.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
std::uint32_t parse_count(const std::string& place, std::string_view text, std::uint32_t least) {
    const auto number = number_of<std::uint32_t>(text);
    if (!number || *number < least)
        throw InputError(place,
                         fmt::format("\"{}\" is not a whole number from {} to {}", text, least,
                                     std::numeric_limits<std::uint32_t>::max()),
                         "write digits only, within that range");
    return *number;
}

std::uint64_t parse_large_count(const std::string& place, std::string_view text) {
    const auto number = number_of<std::uint64_t>(text);
    if (!number)
        throw InputError(place, fmt::format("\"{}\" is not a whole number", text),
                         "write a whole number, 0 or more");
    return *number;
}

CountRange parse_count_range(const std::string& place, std::string_view text) {
    const std::size_t dash = text.find('-', 1);
    CountRange range;
    if (dash == std::string_view::npos) {
        range.least = range.most = parse_count(place, text, 1);
        return range;
    }
    range.least = parse_count(place, text.substr(0, dash), 1);
    range.most = parse_count(place, text.substr(dash + 1), 1);
    if (range.most < range.least)
        throw InputError(place, fmt::format("the range \"{}\" ends before it begins", text),
                         fmt::format("write {}-{}", range.most, range.least));
    return range;
}

}  // namespace nvl72block::cli
