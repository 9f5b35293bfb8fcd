// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/xml.hpp"

#include "text/printable.hpp"

namespace nvl72block {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char letter : printable(text)) {
        switch (letter) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                result += letter;
        }
    }
    return result;
}

}  // namespace nvl72block
