// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace nvl72block::cli {
namespace {

std::string_view environment(const char* name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): read before any thread exists
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// POSIX order: LC_ALL overrides LC_CTYPE overrides LANG.
bool locale_is_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const std::string_view value = environment(name);
        if (value.empty()) continue;
        return value.find("UTF-8") != std::string_view::npos ||
               value.find("utf8") != std::string_view::npos;
    }
    return false;
}

}  // namespace

TerminalSize terminal_size() {
    TerminalSize result;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return result;
    if (size.ws_col > 0) result.width = size.ws_col;
    if (size.ws_row > 0) result.height = size.ws_row;
    return result;
}

Console standard_console() {
    Console console{std::cout, std::cerr};
    // https://no-color.org: any value of NO_COLOR but the empty one turns colours off
    console.color = isatty(STDOUT_FILENO) != 0 && environment("NO_COLOR").empty() &&
                    environment("TERM") != "dumb";
    console.unicode = locale_is_utf8();
    console.err_terminal = isatty(STDERR_FILENO) != 0;
    console.out_terminal = isatty(STDOUT_FILENO) != 0;
    console.width = terminal_size().width;
    return console;
}

}  // namespace nvl72block::cli
