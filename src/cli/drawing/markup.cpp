// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/markup.hpp"

#include <nlohmann/json.hpp>

#include "cli/json_line.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: no character begins here
};

/// The bytes of a sequence by its first byte, and the bits of the code in that byte.
struct Lead {
    std::size_t bytes;
    unsigned mask;
    std::uint32_t least;  ///< smaller codes have shorter sequences
};

Lead lead_of(unsigned char byte) {
    if (byte < 0x80) return {1, 0x7F, 0};
    if (byte >= 0xC0 && byte < 0xE0) return {2, 0x1F, 0x80};
    if (byte >= 0xE0 && byte < 0xF0) return {3, 0x0F, 0x800};
    if (byte >= 0xF0 && byte < 0xF8) return {4, 0x07, 0x10000};
    return {0, 0, 0};
}

/// The UTF-8 character at the beginning of `text`, which is not empty.
Character first_character(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const Lead lead = lead_of(first);
    if (lead.bytes == 0 || lead.bytes > text.size()) return {};
    Character character{first & lead.mask, lead.bytes};
    for (std::size_t i = 1; i < lead.bytes; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80U) return {};
        character.code = character.code << 6U | (byte & 0x3FU);
    }
    const bool surrogate = character.code >= 0xD800 && character.code < 0xE000;
    if (character.code < lead.least || surrogate || character.code > 0x10FFFF) return {};
    return character;
}

bool allowed_in_xml(std::uint32_t code) {
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    return code != 0xFFFE && code != 0xFFFF && (code < 0x7F || code >= 0xA0);
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const Character character = first_character(text);
        const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
        if (character.bytes == 0 || !allowed_in_xml(character.code))
            result += replacement;
        else if (character.code == '&')
            result += "&amp;";
        else if (character.code == '<')
            result += "&lt;";
        else if (character.code == '>')
            result += "&gt;";
        else if (character.code == '"')
            result += "&quot;";
        else if (character.code == '\'')
            result += "&#39;";
        else
            result += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return result;
}

std::string script_json(const nlohmann::ordered_json& json) {
    std::string result;
    for (const char c : json_line(json)) {
        switch (c) {
            case '<':
                result += "\\u003c";
                break;
            case '>':
                result += "\\u003e";
                break;
            case '&':
                result += "\\u0026";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::size_t character_count(std::string_view text) {
    std::size_t count = 0;
    for (; !text.empty(); ++count) {
        const std::size_t bytes = first_character(text).bytes;
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return count;
}

std::string shortened(std::string_view text, std::size_t most) {
    if (character_count(text) <= most) return std::string(text);
    std::string result;
    for (std::size_t count = 1; count < most; ++count) {
        const std::size_t found = first_character(text).bytes;
        const std::size_t bytes = found == 0 ? 1 : found;
        result += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return result + "…";
}

}  // namespace nvl72block::cli
