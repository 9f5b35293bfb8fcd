// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/glyph_color.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/show/node_states.hpp"

namespace nvl72block::cli {
namespace {

/// Number of an SGR foreground colour. Neighbouring letters get different ones.
int color_of(char glyph) {
    constexpr int green = 32, red = 31, grey = 90, magenta = 35, blue = 34;
    switch (glyph) {
        case NodeStates::free_glyph:
            return green;
        case NodeStates::drained_glyph:
        case NodeStates::draining_glyph:
            return red;
        case NodeStates::busy_glyph:
            return grey;
        case NodeStates::reserved_glyph:
            return blue;
        case NodeStates::shared_glyph:
            return magenta;
        default:
            break;
    }
    constexpr std::array job_colors = {36, 33, 34, 35, 96, 93, 94, 95};
    return job_colors[static_cast<unsigned char>(glyph) % job_colors.size()];
}

}  // namespace

std::string colored(std::string_view glyphs) {
    std::string text;
    for (std::size_t begin = 0; begin < glyphs.size();) {
        const std::size_t end =
            std::min(glyphs.find_first_not_of(glyphs[begin], begin), glyphs.size());
        text += fmt::format("\x1b[{}m{}\x1b[0m", color_of(glyphs[begin]),
                            glyphs.substr(begin, end - begin));
        begin = end;
    }
    return text;
}

}  // namespace nvl72block::cli
