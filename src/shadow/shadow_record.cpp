// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/shadow_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <charconv>
#include <iterator>

#include "text/number.hpp"

namespace nvl72block {
namespace {

constexpr char separator = '\t';
constexpr std::size_t checksum_digits = 8;

std::uint32_t checksum(std::string_view text) {
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    return crc.checksum();
}

/// On one line, and one field.
std::string flat(std::string_view value) {
    std::string text(value);
    for (char& letter : text)
        if (letter == separator || letter == '\n' || letter == '\r') letter = ' ';
    return text;
}

/// Takes the text up to `end` off the front.
std::string_view take(std::string_view& text, char end) {
    const std::size_t length = std::min(text.find(end), text.size());
    const std::string_view part = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    return part;
}

}  // namespace

std::string_view ShadowRecord::text(std::string_view key) const {
    const auto found = fields.find(key);
    return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::uint64_t> ShadowRecord::number(std::string_view key) const {
    return number_of<std::uint64_t>(text(key));
}

std::optional<NodeSet> ShadowRecord::nodes(std::string_view key, std::size_t size) const {
    return parse_node_ranges(text(key), size);
}

std::string to_line(const ShadowRecord& record) {
    std::string body = flat(record.kind);
    for (const auto& [key, value] : record.fields)
        fmt::format_to(std::back_inserter(body), "{}{}={}", separator, key, flat(value));
    return fmt::format("{:08x}{}{}\n", checksum(body), separator, body);
}

std::optional<ShadowRecord> parse_shadow_line(std::string_view line) {
    const std::string_view sum = take(line, separator);
    std::uint32_t expected = 0;
    const auto [end, error] = std::from_chars(sum.data(), sum.data() + sum.size(), expected, 16);
    if (sum.size() != checksum_digits || error != std::errc{} || end != sum.data() + sum.size() ||
        expected != checksum(line))
        return std::nullopt;
    ShadowRecord record;
    record.kind = take(line, separator);
    while (!line.empty()) {
        std::string_view field = take(line, separator);
        const std::string_view key = take(field, '=');
        record.fields.emplace(key, field);
    }
    return record;
}

std::string node_ranges(NodeSetView nodes) {
    std::string text;
    std::optional<NodeIndex> first;
    NodeIndex last = 0;
    const auto finish = [&] {
        if (!first) return;
        fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ",", *first);
        if (last > *first) fmt::format_to(std::back_inserter(text), "-{}", last);
    };
    nodes.for_each([&](NodeIndex node) {
        if (!first || node != last + 1) {
            finish();
            first = node;
        }
        last = node;
    });
    finish();
    return text;
}

std::optional<NodeSet> parse_node_ranges(std::string_view text, std::size_t size) {
    NodeSet nodes(size);
    while (!text.empty()) {
        std::string_view range = take(text, ',');
        const bool single = range.find('-') == std::string_view::npos;
        const auto first = number_of<NodeIndex>(take(range, '-'));
        const auto last = single ? first : number_of<NodeIndex>(range);
        if (!first || !last || *last < *first || *last >= size) return std::nullopt;
        for (NodeIndex node = *first; node <= *last; ++node) nodes.set(node);
    }
    return nodes;
}

}  // namespace nvl72block
