// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/numbers.hpp"

#include <fmt/format.h>

#include <limits>

#include "cli/input/input_error.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

InputError not_a_count(const std::string& location, std::string_view text, std::uint32_t least) {
    return {location,
            fmt::format("\"{}\" is not a whole number from {} to {}", text, least,
                        std::numeric_limits<std::uint32_t>::max()),
            "write digits only, within that range"};
}

}  // namespace

std::uint32_t parse_count(const std::string& location, std::string_view text, std::uint32_t least) {
    const auto number = number_of<std::uint32_t>(text);
    if (!number || *number < least) throw not_a_count(location, text, least);
    return *number;
}

std::uint64_t parse_large_count(const std::string& location, std::string_view text) {
    const auto number = number_of<std::uint64_t>(text);
    if (!number)
        throw InputError(location, fmt::format("\"{}\" is not a whole number", text),
                         "write a whole number, 0 or more");
    return *number;
}

namespace {

std::uint32_t parse_node_count(const std::string& location, std::string_view text) {
    constexpr std::uint64_t kilo = 1024;
    std::uint64_t factor = 1;
    const char last = text.empty() ? '\0' : text.back();
    if (last == 'k' || last == 'K') factor = kilo;
    if (last == 'm' || last == 'M') factor = kilo * kilo;
    const std::string_view digits = factor > 1 ? text.substr(0, text.size() - 1) : text;
    const auto number = number_of<std::uint32_t>(digits);
    if (!number || *number < 1 || *number > std::numeric_limits<std::uint32_t>::max() / factor)
        throw not_a_count(location, text, 1);
    return static_cast<std::uint32_t>(factor * *number);
}

}  // namespace

CountRange parse_count_range(const std::string& location, std::string_view text) {
    const std::size_t dash = text.find('-', 1);
    CountRange range;
    if (dash == std::string_view::npos) {
        range.least = range.most = parse_node_count(location, text);
        return range;
    }
    range.least = parse_node_count(location, text.substr(0, dash));
    range.most = parse_node_count(location, text.substr(dash + 1));
    if (range.most < range.least)
        throw InputError(location, fmt::format("the range \"{}\" ends before it begins", text),
                         fmt::format("write {}-{}", range.most, range.least));
    return range;
}

}  // namespace nvl72block::cli
