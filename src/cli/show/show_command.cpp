// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/show_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ostream>
#include <sstream>

#include "cli/drawing/html.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/json_line.hpp"
#include "cli/output/printable_stream.hpp"
#include "cli/output/replace_file.hpp"
#include "cli/show/rack_map.hpp"
#include "cli/show/show_picture.hpp"
#include "cli/show/show_report.hpp"
#include "cli/show/watch.hpp"
#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* show_footer = R"help(
Examples:
  nvl72block show                       the running cluster
  nvl72block show --watch
  nvl72block show --html racks.html
  nvl72block show --state DIR           a saved state, see nvl72block snapshot
  nvl72block show --topology topology.conf --busy node[001-009] --drained node018
  nvl72block show --topology topology.conf --job 4711=node[001-016] --job 4712=node[019-034])help";

constexpr std::uint32_t least_width = 40;

MapStyle map_style(const ShowOptions& options, const Console& console) {
    MapStyle style;
    style.unicode = console.unicode;
    style.width = console.width;
    if (!options.width.empty()) style.width = parse_count("--width", options.width, least_width);
    if (options.color != "auto" && options.color != "always" && options.color != "never")
        throw InputError("--color", fmt::format("\"{}\" is unknown", options.color),
                         "write auto, always or never");
    style.color = options.color == "always" || (options.color == "auto" && console.color);
    if (style.color) pass_colors(console.out);
    return style;
}

ShownCluster read_cluster(const ShownOptions& options, std::ostream& notes) {
    return options.from_lists() ? cluster_of_lists(options, notes)
                                : cluster_of_state(state_of(options, notes));
}

/// Writes the files that are asked for; false if none is.
bool write_drawings(const ShowOptions& options, const ShownCluster& shown, const Headroom& totals) {
    if (options.svg.empty() && options.html.empty()) return false;
    const Picture picture = show_picture(shown, totals);
    if (!options.svg.empty()) replace_file("--svg", options.svg, svg_document(picture));
    if (!options.html.empty()) replace_file("--html", options.html, html_page(picture));
    return true;
}

std::string shown_text(const ShownCluster& shown, const Headroom& totals, const MapStyle& style) {
    return fmt::format("{}\n{}\n{}", rack_map(shown.loaded, shown.states, style),
                       map_legend(shown.loaded, shown.states, style), summary_text(shown, totals));
}

/// The map and what there is to say about it. After the first time, an error is shown and the next
/// time may be better.
std::string watched_text(const ShowOptions& options, MapStyle style, std::chrono::seconds period,
                         bool first) {
    std::ostringstream notes;
    std::string text = fmt::format("every {} s; Ctrl-C ends\n\n", period.count());
    try {
        const ShownCluster shown = read_cluster(options.cluster, notes);
        text += shown_text(shown, headroom(shown.topology(), shown.states.free()), style);
    } catch (const InputError& error) {
        if (first) throw;
        text += fmt::format("{}\n", error.what());
    }
    return text + notes.str();
}

int watch_cluster(const ShowOptions& options, const MapStyle& style, Console& console) {
    if (options.json || !options.svg.empty() || !options.html.empty())
        throw InputError("--watch",
                         "draws on a terminal and cannot be combined with a file or JSON",
                         "leave --json, --svg and --html out");
    if (!console.out_terminal)
        throw InputError("--watch", "needs a terminal",
                         "without one, run show again whenever you need it");
    const std::chrono::seconds period(parse_count("--watch", *options.watch, 1));
    const StopSignals signals;
    bool first = true;
    Watched watched;
    watched.text = [&](TerminalSize size) {
        MapStyle now = style;
        if (options.width.empty()) now.width = std::max(size.width, least_width);
        std::string text = watched_text(options, now, period, first);
        first = false;
        return text;
    };
    watched.size = terminal_size;
    watched.wait = [&] { return StopSignals::wait(period); };
    watch(console.out, watched);
    return exit_ok;
}

}  // namespace

CLI::App& add_show(CLI::App& app, ShowOptions& options) {
    CLI::App& show = *app.add_subcommand(
        "show", "Draw the racks: free, busy and drained nodes, jobs, and what still fits");
    add_shown_options(show, options.cluster);
    show.add_option("--width", options.width, "Columns (default: the terminal's)")->type_name("N");
    show.add_option("--color", options.color, "auto, always or never")
        ->type_name("WHEN")
        ->capture_default_str();
    show.add_option("--watch", options.watch,
                    "Draw again every SECONDS (default: 5) until Ctrl-C; on a terminal")
        ->type_name("[SECONDS]")
        ->expected(0, 1)
        ->default_str("5");
    show.add_flag("--json", options.json, "Print JSON");
    show.add_option("--svg", options.svg, "Write a drawing to FILE instead")->type_name("FILE");
    show.add_option("--html", options.html, "Write a web page to FILE instead")->type_name("FILE");
    show.footer(show_footer);
    return show;
}

int run_show(const ShowOptions& options, Console& console) {
    const MapStyle style = map_style(options, console);
    if (options.watch) return watch_cluster(options, style, console);
    const ShownCluster shown = read_cluster(options.cluster, console.err);
    const Headroom totals = headroom(shown.topology(), shown.states.free());
    if (write_drawings(options, shown, totals) && !options.json) return exit_ok;
    if (options.json) {
        console.out << json_line(show_json(shown, totals)) << '\n';
        return exit_ok;
    }
    console.out << shown_text(shown, totals, style);
    return exit_ok;
}

}  // namespace nvl72block::cli
