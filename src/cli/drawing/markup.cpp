// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/markup.hpp"

#include <nlohmann/json.hpp>

#include "cli/json_line.hpp"
#include "text/printable.hpp"

namespace nvl72block::cli {

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
    for (; !text.empty(); ++count) text.remove_prefix(first_character(text).bytes);
    return count;
}

std::string shortened(std::string_view text, std::size_t most) {
    if (character_count(text) <= most) return std::string(text);
    std::string result;
    for (std::size_t count = 1; count < most; ++count) {
        const std::size_t bytes = first_character(text).bytes;
        result += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return result + "…";
}

}  // namespace nvl72block::cli
