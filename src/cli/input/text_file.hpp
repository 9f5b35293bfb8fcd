// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text files that are read line by line, with the errors that a user can act on.
#pragma once

#include <string>
#include <vector>

namespace nvl72block::cli {

struct TextLine {
    std::string place;  ///< "file:line" for messages
    unsigned number = 0;
    std::string text;  ///< without comment and surrounding blanks, never empty
};

/// The lines of `file` that hold something; `#` starts a comment. InputError names `option` if the
/// file cannot be read or is too large to be what the option wants.
[[nodiscard]] std::vector<TextLine> read_lines(const std::string& option, const std::string& file);

/// InputError naming `option` unless `file` is a file that can be opened for reading.
void check_readable(const std::string& option, const std::string& file);

}  // namespace nvl72block::cli
