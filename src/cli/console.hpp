// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a subcommand writes, and what it can show there.
#pragma once

#include <iosfwd>
#include <string>

namespace nvl72block::cli {

struct TerminalSize {
    unsigned width = 100;
    unsigned height = 24;
};

struct Console {
    std::ostream& out;
    std::ostream& err;
    bool color = false;         ///< `out` is a terminal that shows colours
    bool unicode = false;       ///< the locale can show box-drawing characters
    bool err_terminal = false;  ///< `err` is a terminal: a progress bar makes sense
    unsigned width = 100;       ///< columns of `out`
    bool out_terminal = false;  ///< `out` is a terminal
};

/// Of the terminal that stdout is; otherwise the default.
[[nodiscard]] TerminalSize terminal_size();

/// The process's own stdout and stderr with the terminal's properties.
[[nodiscard]] Console standard_console();

}  // namespace nvl72block::cli
