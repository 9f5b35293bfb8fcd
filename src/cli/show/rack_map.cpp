// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/rack_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/show/glyph_color.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t shortest_row = 16;  // glyphs a line, however narrow the terminal
constexpr std::string_view outside_name = "(no block)";

struct Row {
    std::string brackets;      // as shown, one column and a blank an aggregated level
    std::string continuation;  // the same of further lines
    std::string name;
    std::string glyphs;
    StateCounts counts;
};

/// Column widths. Counts are at least as wide as their headings.
struct Columns {
    std::size_t brackets = 0;
    std::size_t name = 5;
    std::size_t glyphs = 5;
    std::size_t counts = 27;  // three numbers of nine characters, or four
    bool reserved = false;    // whether there is a column of reserved nodes
};

enum class Corner { top, middle, bottom, single };

std::string_view corner_glyph(Corner corner, bool unicode) {
    switch (corner) {
        case Corner::top:
            return unicode ? "┌" : "/";
        case Corner::middle:
            return unicode ? "│" : "|";
        case Corner::bottom:
            return unicode ? "└" : "\\";
        case Corner::single:
            break;
    }
    return unicode ? "─" : "-";
}

/// Levels that join blocks and have more than one block to join, outermost first.
std::vector<std::size_t> bracket_levels(const Topology& topology) {
    std::vector<std::size_t> levels;
    for (std::size_t level = topology.levels().size(); level-- > 1;)
        if (topology.levels()[level].aggregates > 0) levels.push_back(level);
    return levels;
}

/// Whether one of the blocks [first, last) has a row: holes have none.
bool any_row(const Topology& topology, BlockIndex first, BlockIndex last) {
    while (first < last && topology.is_hole(first)) ++first;
    return first < last;
}

Corner corner(const Topology& topology, std::size_t level, BlockIndex block) {
    const std::uint32_t aggregate = topology.aggregate_of(level, block);
    const bool first = !any_row(topology, topology.first_block(level, aggregate), block);
    const bool last = !any_row(topology, block + 1, topology.last_block(level, aggregate));
    if (first && last) return Corner::single;
    if (first) return Corner::top;
    return last ? Corner::bottom : Corner::middle;
}

/// The brackets of a block's line; of its continuation lines with `continued`.
std::string brackets(const Topology& topology, const std::vector<std::size_t>& levels,
                     BlockIndex block, bool unicode, bool continued) {
    std::string text;
    for (const std::size_t level : levels) {
        Corner shape = corner(topology, level, block);
        const std::size_t width = fmt::formatted_size("{}", topology.levels()[level].nodes);
        const bool blank = continued && (shape == Corner::bottom || shape == Corner::single);
        if (continued) shape = Corner::middle;
        text += blank ? " " : corner_glyph(shape, unicode);
        text.append(width, ' ');
    }
    return text;
}

std::string bracket_heading(const Topology& topology, const std::vector<std::size_t>& levels) {
    std::string text;
    for (const std::size_t level : levels)
        text += fmt::format("{} ", topology.levels()[level].nodes);
    return text;
}

Row block_row(const LoadedCluster& loaded, const NodeStates& states, BlockIndex block) {
    Row row;
    row.name = loaded.topology().block_name(block);
    for (const NodeRange& range : loaded.topology().ranges(block))
        for (NodeIndex node = range.begin; node < range.end; ++node) {
            row.glyphs += states.glyph(node);
            states.count(node, row.counts);
        }
    return row;
}

Row outside_row(const LoadedCluster& loaded, const NodeStates& states, std::size_t bracket_width) {
    Row row;
    row.brackets.assign(bracket_width, ' ');
    row.continuation = row.brackets;
    row.name = outside_name;
    for (NodeIndex node = 0; node < loaded.nodes.size(); ++node)
        if (loaded.topology().block_of(node) == no_block) {
            row.glyphs += states.glyph(node);
            states.count(node, row.counts);
        }
    return row;
}

std::vector<Row> rows_of(const LoadedCluster& loaded, const NodeStates& states,
                         const std::vector<std::size_t>& levels, bool unicode) {
    const Topology& topology = loaded.topology();
    std::vector<Row> rows;
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        if (topology.is_hole(block)) continue;
        rows.push_back(block_row(loaded, states, block));
        rows.back().brackets = brackets(topology, levels, block, unicode, false);
        rows.back().continuation = brackets(topology, levels, block, unicode, true);
    }
    Row outside = outside_row(loaded, states, bracket_heading(topology, levels).size());
    if (!outside.glyphs.empty()) rows.push_back(std::move(outside));
    return rows;
}

Columns fit_columns(const std::vector<Row>& rows, std::size_t bracket_width,
                    const MapStyle& style) {
    Columns columns;
    columns.brackets = bracket_width;
    for (const Row& row : rows) {
        columns.name = std::max(columns.name, row.name.size());
        columns.glyphs = std::max(columns.glyphs, row.glyphs.size());
        columns.reserved |= row.counts.reserved > 0;
    }
    if (columns.reserved) columns.counts += 9;
    const std::size_t others = columns.brackets + columns.name + 2 + columns.counts;
    const std::size_t room = style.width > others ? style.width - others : 0;
    columns.glyphs = std::min(columns.glyphs, std::max(room, shortest_row));
    return columns;
}

/// One base block: a line with its counts, and continuation lines for glyphs beyond the column.
std::string row_text(const Row& row, const Columns& columns, const MapStyle& style) {
    std::string text;
    for (std::size_t begin = 0; begin == 0 || begin < row.glyphs.size(); begin += columns.glyphs) {
        const std::string_view part = std::string_view(row.glyphs).substr(begin, columns.glyphs);
        const std::string padding(columns.glyphs - part.size(), ' ');
        text += fmt::format("{}{:<{}}  {}", begin == 0 ? row.brackets : row.continuation,
                            begin == 0 ? row.name : "", columns.name,
                            style.color ? colored(part) : std::string(part));
        if (begin == 0)
            text += fmt::format("{}{:>9}{:>9}{:>9}", padding, row.counts.free, row.counts.busy,
                                row.counts.drained);
        if (begin == 0 && columns.reserved) text += fmt::format("{:>9}", row.counts.reserved);
        text += '\n';
    }
    return text;
}

std::string legend_line(char glyph, std::string_view meaning, const MapStyle& style) {
    const std::string_view shown(&glyph, 1);
    return fmt::format("{} {}", style.color ? colored(shown) : std::string(shown), meaning);
}

}  // namespace

std::string rack_map(const LoadedCluster& loaded, const NodeStates& states, const MapStyle& style) {
    const std::vector<std::size_t> levels = bracket_levels(loaded.topology());
    const std::string heading = bracket_heading(loaded.topology(), levels);
    const std::vector<Row> rows = rows_of(loaded, states, levels, style.unicode);
    const Columns columns = fit_columns(rows, heading.size(), style);
    std::string text =
        fmt::format("{}{:<{}}  {:<{}}{:>9}{:>9}{:>9}{}\n", heading, "block", columns.name, "nodes",
                    columns.glyphs, "free", "busy", "drained", columns.reserved ? " reserved" : "");
    for (const Row& row : rows) text += row_text(row, columns, style);
    return text;
}

std::string map_legend(const LoadedCluster& loaded, const NodeStates& states,
                       const MapStyle& style) {
    std::string used;
    for (NodeIndex node = 0; node < loaded.nodes.size(); ++node) used += states.glyph(node);
    std::string text = legend_line(NodeStates::free_glyph, "free", style) + "   " +
                       legend_line(NodeStates::busy_glyph, "busy", style) + "   " +
                       legend_line(NodeStates::drained_glyph, "drained", style);
    if (used.find(NodeStates::draining_glyph) != std::string::npos)
        text += "   " + legend_line(NodeStates::draining_glyph, "drained with a job on it", style);
    if (used.find(NodeStates::reserved_glyph) != std::string::npos)
        text += "   " + legend_line(NodeStates::reserved_glyph, "reserved", style);
    if (used.find(NodeStates::shared_glyph) != std::string::npos)
        text += "   " + legend_line(NodeStates::shared_glyph, "several jobs", style);
    text += '\n';
    for (std::size_t i = 0; i < states.jobs().size(); ++i) {
        const NamedJob& job = states.jobs()[i];
        text += legend_line(states.job_glyph(i),
                            fmt::format("{}: {}  {}", job.name, plural(job.nodes.count(), "node"),
                                        loaded.nodes.hostlist(job.nodes)),
                            style) +
                '\n';
    }
    return text;
}

}  // namespace nvl72block::cli
