// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/excerpt.hpp"

#include <fmt/format.h>

#include <iterator>

namespace nvl72block {

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 100;
    std::string out;
    for (const char letter : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < 0x20 || byte == 0x7f) {
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
        } else {
            out += letter;
        }
    }
    if (text.size() > longest) out += "...";
    return out;
}

}  // namespace nvl72block
