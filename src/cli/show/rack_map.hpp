// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rack map: one line per base block, one glyph per node, brackets for the aggregated blocks.
#pragma once

#include <string>

#include "cli/input/site.hpp"
#include "cli/show/node_states.hpp"

namespace nvl72block::cli {

struct MapStyle {
    unsigned width = 100;  ///< columns; longer rows of nodes continue on the next line
    bool color = false;
    bool unicode = false;
};

/// The map with its header line.
[[nodiscard]] std::string rack_map(const Site& site, const NodeStates& states,
                                   const MapStyle& style);

/// What the glyphs on the map mean, jobs with their nodes and counts.
[[nodiscard]] std::string map_legend(const Site& site, const NodeStates& states,
                                     const MapStyle& style);

}  // namespace nvl72block::cli
