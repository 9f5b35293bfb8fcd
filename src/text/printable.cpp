// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/locale/utf.hpp>
#include <iterator>
#include <utility>

namespace nvl72block {
namespace {

using Range = std::pair<std::uint32_t, std::uint32_t>;

/// Not printable, beside the C0 controls: controls, what Unicode calls format characters (Cf), line
/// and paragraph separators, variation selectors, blank letters and noncharacters.
constexpr std::array<Range, 28> hidden{{
    {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},     {0x600, 0x605},
    {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},
    {0x8e2, 0x8e2},     {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
    {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},
    {0xd800, 0xdfff},   {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x110bd, 0x110cd},
    {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff},
}};

bool is_plain(char letter) {
    return letter >= ' ' && letter < '\x7f';
}

/// As JSON writes a character: one beyond U+FFFF in two halves.
void append_escape(std::string& out, std::uint32_t code) {
    const auto end = std::back_inserter(out);
    if (code < 0x10000)
        fmt::format_to(end, "\\u{:04x}", code);
    else
        fmt::format_to(end, "\\u{:04x}\\u{:04x}", 0xd800 + ((code - 0x10000) >> 10U),
                       0xdc00 + ((code - 0x10000) & 0x3ffU));
}

std::string without_hidden(std::string_view text, bool keep_lines) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto plain = static_cast<std::size_t>(
            std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        const Character character = first_character(text);
        if (is_printable(character.code) && character.valid)
            out += text.substr(0, character.bytes);
        else if (keep_lines && text.front() == '\n')
            out += '\n';
        else if (!character.valid || character.code < 0x20)
            fmt::format_to(std::back_inserter(out), "\\x{:02x}",
                           static_cast<unsigned char>(text.front()));
        else
            append_escape(out, character.code);
        text.remove_prefix(character.bytes);
    }
    return out;
}

}  // namespace

Character first_character(std::string_view text) {
    namespace utf = boost::locale::utf;
    const char* at = text.data();
    const utf::code_point code = utf::utf_traits<char>::decode(at, text.data() + text.size());
    if (code == utf::illegal || code == utf::incomplete) return {};
    return {code, static_cast<std::size_t>(at - text.data()), true};
}

bool is_printable(std::uint32_t code) {
    if (code < 0x20) return false;
    return std::ranges::none_of(
        hidden, [code](const Range& range) { return code >= range.first && code <= range.second; });
}

std::string printable(std::string_view text) {
    return without_hidden(text, false);
}

std::string printable_lines(std::string_view text) {
    return without_hidden(text, true);
}

}  // namespace nvl72block
