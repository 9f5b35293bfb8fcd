// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/show_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/drawing/html.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/json_line.hpp"
#include "cli/output/replace_file.hpp"
#include "cli/show/rack_map.hpp"
#include "cli/show/show_picture.hpp"
#include "cli/show/show_report.hpp"
#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* help_footer = R"help(
Examples:
  nvl72block show                       the cluster that scontrol reaches
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

}  // namespace

CLI::App& add_show(CLI::App& app, ShowOptions& options) {
    CLI::App& show = *app.add_subcommand(
        "show", "Draw the racks: free, busy and drained nodes, jobs, and what still fits");
    add_shown_options(show, options.cluster);
    show.add_option("--width", options.width, "Columns (default: the terminal's)")->type_name("N");
    show.add_option("--color", options.color, "auto, always or never")
        ->type_name("WHEN")
        ->capture_default_str();
    show.add_flag("--json", options.json, "Print JSON");
    show.add_option("--svg", options.svg, "Write a drawing to FILE instead")->type_name("FILE");
    show.add_option("--html", options.html, "Write a web page to FILE instead")->type_name("FILE");
    show.footer(help_footer);
    return show;
}

int run_show(const ShowOptions& options, Console& console) {
    const MapStyle style = map_style(options, console);
    const ShownCluster shown = read_cluster(options.cluster, console.err);
    const Headroom totals = headroom(shown.topology(), shown.states.free());
    if (write_drawings(options, shown, totals) && !options.json) return exit_ok;
    if (options.json) {
        console.out << json_line(show_json(shown.loaded, shown.states, totals)) << '\n';
        return exit_ok;
    }
    console.out << rack_map(shown.loaded, shown.states, style) << '\n'
                << map_legend(shown.loaded, shown.states, style) << '\n'
                << summary_text(shown.loaded, shown.states, totals);
    return exit_ok;
}

}  // namespace nvl72block::cli
