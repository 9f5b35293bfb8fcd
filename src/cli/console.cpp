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

unsigned terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return Console{std::cout, std::cerr}.width;
}

}  // namespace

Console standard_console() {
    Console console{std::cout, std::cerr};
    // https://no-color.org: any value of NO_COLOR but the empty one turns colours off
    console.color = isatty(STDOUT_FILENO) != 0 && environment("NO_COLOR").empty() &&
                    environment("TERM") != "dumb";
    console.unicode = locale_is_utf8();
    console.err_terminal = isatty(STDERR_FILENO) != 0;
    console.width = terminal_width();
    return console;
}

}  // namespace nvl72block::cli
