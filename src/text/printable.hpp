// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one way of foreign text (of a user, a file, another program) to a terminal, a log, a label,
// JSON, HTML, SVG or a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nvl72block {

/// The character at the beginning of a text.
struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;  ///< 1 where the byte begins no character
    bool valid = false;     ///< it is UTF-8
};

/// Of a text that is not empty.
[[nodiscard]] Character first_character(std::string_view text);

/// False for control characters, and for those that are not seen but change how the text around
/// them reads: directions, invisible joiners and separators, tags.
[[nodiscard]] bool is_printable(std::uint32_t code);

/// `text` as valid UTF-8 of printable characters. Of the others, bytes below 0x7f and bytes that
/// are not UTF-8 become \xNN, characters \uNNNN: JSON (which has none of the former) stays JSON
/// with the same value.
[[nodiscard]] std::string printable(std::string_view text);

/// The same of each line: line feeds stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace nvl72block
