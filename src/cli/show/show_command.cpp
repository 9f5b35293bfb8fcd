// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/show_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/input/site.hpp"
#include "cli/json_line.hpp"
#include "cli/show/node_states.hpp"
#include "cli/show/rack_map.hpp"
#include "cli/show/show_report.hpp"
#include "nvl72block/idle_capacity.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* help_footer = R"help(
Examples:
  nvl72block show --topology topology.conf
  nvl72block show --topology topology.conf --busy node[001-009] --drained node018
  nvl72block show --topology topology.conf --job 4711=node[001-016] --job 4712=node[019-034]
  The state of a running cluster:
    nvl72block show --topology /etc/slurm/topology.conf \
        --busy "$(squeue -h -t R,CG -o %N | paste -sd,)" \
        --drained "$(sinfo -h -N -t drain,down -o %N | paste -sd,)")help";

constexpr std::uint32_t least_width = 40;

struct JobList {
    std::string name;
    NamedList nodes;
};

JobList parse_job(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw InputError("--job", fmt::format("\"{}\" has no name", text),
                         "write --job NAME=HOSTLIST, e.g. --job 4711=node[001-016]");
    const std::string name = text.substr(0, equals);
    return {name, {fmt::format("--job {}", name), text.substr(equals + 1)}};
}

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

NodeStates node_states(const ShowOptions& options, const std::vector<JobList>& lists,
                       const Site& site) {
    std::vector<NamedJob> jobs;
    jobs.reserve(lists.size());
    for (const JobList& job : lists)
        jobs.push_back({job.name, site.nodes.parse(job.nodes.place, job.nodes.text)});
    return {site.nodes.parse("--busy", options.busy),
            site.nodes.parse("--drained", options.drained), std::move(jobs)};
}

}  // namespace

CLI::App& add_show(CLI::App& app, ShowOptions& options) {
    CLI::App& show = *app.add_subcommand(
        "show", "Print a rack map: free, busy and drained nodes, and what still fits");
    show.add_option("--topology", options.topology, "The topology.conf file")
        ->type_name("FILE")
        ->required();
    show.add_option("--busy", options.busy, "Busy nodes")->type_name("HOSTLIST");
    show.add_option("--drained", options.drained, "Nodes out of service")->type_name("HOSTLIST");
    show.add_option("--job", options.jobs, "A job and its nodes, shown as a letter; repeatable")
        ->type_name("NAME=HOSTLIST")
        ->allow_extra_args(false);
    show.add_option("--width", options.width, "Columns (default: the terminal's)")->type_name("N");
    show.add_option("--color", options.color, "auto, always or never")
        ->type_name("WHEN")
        ->capture_default_str();
    show.add_flag("--json", options.json, "Print JSON");
    show.footer(help_footer);
    return show;
}

int run_show(const ShowOptions& options, Console& console) {
    const MapStyle style = map_style(options, console);
    std::vector<JobList> job_lists;
    std::vector<NamedList> lists = {{"--busy", options.busy}, {"--drained", options.drained}};
    for (const std::string& text : options.jobs) {
        job_lists.push_back(parse_job(text));
        lists.push_back(job_lists.back().nodes);
    }
    const Site site = load_site(options.topology, lists, console.err);
    const NodeStates states = node_states(options, job_lists, site);
    const IdleCapacity totals = idle_capacity(site.topology(), states.free());
    if (options.json) {
        console.out << json_line(show_json(site, states, totals)) << '\n';
        return exit_ok;
    }
    console.out << rack_map(site, states, style) << '\n'
                << map_legend(site, states, style) << '\n'
                << summary_text(site, states, totals);
    return exit_ok;
}

}  // namespace nvl72block::cli
