// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "cli/input_error.hpp"

namespace nvl72block::cli {
namespace {

template <typename Number>
bool read_whole(std::string_view text, Number& number) {
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && rest == end && !text.empty();
}

}  // namespace

std::uint32_t parse_count(const std::string& place, std::string_view text, std::uint32_t least) {
    std::uint32_t number = 0;
    if (!read_whole(text, number) || number < least)
        throw InputError(place,
                         fmt::format("\"{}\" is not a whole number from {} to {}", text, least,
                                     std::numeric_limits<std::uint32_t>::max()),
                         "write digits only, within that range");
    return number;
}

std::uint64_t parse_large_count(const std::string& place, std::string_view text) {
    std::uint64_t number = 0;
    if (!read_whole(text, number))
        throw InputError(place, fmt::format("\"{}\" is not a whole number", text),
                         "write a whole number, 0 or more");
    return number;
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
