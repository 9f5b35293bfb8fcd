// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/replay/replay_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/input/text_file.hpp"
#include "cli/replay/progress_bar.hpp"
#include "replay/average.hpp"
#include "replay/drawing.hpp"
#include "replay/report.hpp"
#include "replay/scenario.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* help_footer = R"(
The traces kalos and philly are not part of nvl72block: kalos_converted.csv and
philly_adaptdl.csv must be in --traces-dir. Arrival times are multiplied by the factor that gives
the load. A job takes whole nodes of 4 GPUs and requests segments by --segment-rule; its size is
rounded up to whole segments.

Examples:
  nvl72block replay --trace kalos --traces-dir DIR --racks 16 --jobs 2000
  nvl72block replay --trace kalos,philly --traces-dir DIR --racks 32 --jobs 1000
  nvl72block replay --trace jobs.csv --racks 16 --policy pack,stock-26.05 --load 0.8 --svg waits.svg)";

constexpr std::uint32_t max_racks = 4096;
constexpr std::uint32_t max_site_size = 1U << 17;

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

double parse_share(const std::string& option, const std::string& text, double most) {
    const auto value = number_of<double>(text);
    if (!value || *value < 0 || *value > most)
        throw InputError(option, fmt::format("\"{}\" is not a number from 0 to {}", text, most),
                         fmt::format("write a number from 0 to {}", most));
    return *value;
}

std::string trace_file(const std::string& trace, const std::string& folder) {
    if (trace == "kalos") return folder + "/kalos_converted.csv";
    if (trace == "philly") return folder + "/philly_adaptdl.csv";
    return trace;
}

std::vector<replay::TraceJob> read_trace(const std::string& file) {
    check_readable("--trace", file);
    std::ifstream stream(file);
    try {
        return replay::read_trace(stream, file);
    } catch (const replay::TraceError& error) {
        throw InputError(error.what());
    }
}

std::vector<std::vector<replay::TraceJob>> read_traces(const ReplayOptions& options) {
    std::vector<std::vector<replay::TraceJob>> traces;
    for (const std::string& trace : split(options.trace))
        traces.push_back(read_trace(trace_file(trace, options.traces_dir)));
    return traces;
}

replay::SiteOptions site_options(const ReplayOptions& options) {
    replay::SiteOptions site;
    site.racks = parse_count("--racks", options.racks, 1);
    site.nodes_per_rack = parse_count("--nodes-per-rack", options.nodes_per_rack, 1);
    if (site.racks > max_racks || site.nodes_per_rack > max_site_size / site.racks)
        throw InputError("--racks", "the cluster is too large to replay",
                         fmt::format("at most {} racks and {} nodes", max_racks, max_site_size));
    if (!options.block_sizes.empty())
        for (const std::string& size : split(options.block_sizes))
            site.block_sizes.push_back(parse_count("--block-sizes", size, 1));
    site.unavailable = parse_share("--unavailable", options.unavailable, 99) / 100;
    site.seed = parse_large_count("--seed", options.seed);
    return site;
}

Topology checked_site(const replay::SiteOptions& options, Console& console) {
    Diagnostics diagnostics;
    std::optional<Topology> topology = replay::make_site(options, diagnostics);
    if (!topology)
        throw InputError(diagnostics.empty() ? "--block-sizes" : to_string(diagnostics.front()));
    for (const Diagnostic& diagnostic : diagnostics)
        console.err << "note: " << to_string(diagnostic) << '\n';
    return std::move(*topology);
}

std::vector<std::unique_ptr<replay::Strategy>> strategies(const std::string& names) {
    std::vector<std::unique_ptr<replay::Strategy>> chosen;
    for (const std::string& name : names == "all" ? replay::strategy_names() : split(names)) {
        chosen.push_back(replay::make_strategy(name));
        if (!chosen.back())
            throw InputError(
                "--policy", fmt::format("unknown policy \"{}\"", name),
                fmt::format("write all or some of {}", fmt::join(replay::strategy_names(), ",")));
    }
    return chosen;
}

replay::WorkloadOptions workload_options(const ReplayOptions& options, std::uint32_t site_nodes) {
    replay::WorkloadOptions workload;
    constexpr std::uint32_t max_jobs = 10'000'000;
    workload.site_nodes = site_nodes;
    workload.seed = parse_large_count("--seed", options.seed);
    workload.load = parse_share("--load", options.load, 100);
    if (!options.jobs.empty()) workload.jobs = parse_count("--jobs", options.jobs, 1);
    if (workload.jobs > max_jobs)
        throw InputError("--jobs", "too many jobs", fmt::format("write at most {}", max_jobs));
    const std::optional<replay::SegmentRule> rule =
        replay::SegmentRule::parse(options.segment_rule);
    if (!rule)
        throw InputError("--segment-rule",
                         fmt::format("\"{}\" is not a rule", options.segment_rule),
                         "write nvidia, plain or FROM:SEGMENT,... such as 32:16,8:4,1:0");
    workload.rule = *rule;
    return workload;
}

/// One workload a run.
std::vector<replay::Workload> make_workloads(const ReplayOptions& options,
                                             replay::WorkloadOptions wanted) {
    constexpr std::uint32_t max_runs = 1000;
    const std::uint32_t runs = parse_count("--runs", options.runs, 1);
    if (runs > max_runs)
        throw InputError("--runs", "too many runs", fmt::format("write at most {}", max_runs));
    const std::vector<std::vector<replay::TraceJob>> traces = read_traces(options);
    std::vector<replay::Workload> workloads;
    for (std::uint32_t run = 0; run < runs; ++run, ++wanted.seed)
        workloads.push_back(replay::make_workload(traces, wanted));
    if (workloads.front().jobs.empty())
        throw InputError("--racks", "no job of the trace fits into the cluster", "add racks");
    return workloads;
}

/// Simulates every run under one strategy.
replay::Metrics measure_runs(const Topology& topology,
                             const std::vector<replay::Workload>& workloads,
                             const replay::Strategy& strategy,
                             const replay::SimulationOptions& simulation, const Console& console) {
    std::size_t jobs = 0;
    for (const replay::Workload& workload : workloads) jobs += workload.jobs.size();
    ProgressBar bar(console.err, strategy.name(), jobs, console.err_terminal);
    std::vector<replay::Metrics> runs;
    std::size_t done = 0;
    for (const replay::Workload& workload : workloads) {
        const auto progress = [&](std::size_t started) { bar.update(done + started); };
        runs.push_back(replay::measure(topology, workload.jobs, strategy, simulation, progress));
        done += workload.jobs.size();
    }
    return replay::average(runs);
}

replay::ReplayFacts make_facts(const ReplayOptions& options, const replay::SiteOptions& site,
                               const Topology& topology, const replay::Workload& workload) {
    replay::ReplayFacts facts;
    facts.trace = options.trace;
    facts.racks = site.racks;
    facts.nodes_per_rack = site.nodes_per_rack;
    facts.in_service = replay::in_service(site).count();
    for (const Level& level : topology.levels()) facts.block_sizes.push_back(level.nodes);
    facts.segment_rule = options.segment_rule;
    facts.seed = site.seed;
    facts.jobs = workload.jobs.size();
    facts.too_large = workload.too_large;
    facts.time_scale = workload.time_scale;
    facts.load = workload.load;
    facts.window = workload.jobs.back().submit;
    return facts;
}

void write_svg(const std::string& file, const std::string& svg) {
    std::ofstream stream(file);
    if (!(stream << svg).flush())
        throw InputError("--svg", fmt::format("\"{}\" cannot be written", file),
                         "name a file in an existing, writable directory");
}

}  // namespace

CLI::App& add_replay(CLI::App& app, ReplayOptions& options) {
    CLI::App& replay = *app.add_subcommand(
        "replay",
        "Replay recorded jobs under each policy and compare occupancy, waits and fragmentation");
    const auto add = [&replay](const char* name, std::string& value, const char* type,
                               const std::string& help) {
        return replay.add_option(name, value, help)->type_name(type);
    };
    add("--trace", options.trace, "TRACE,...",
        "Trace of recorded jobs: kalos, philly or a file; several contribute equal load")
        ->required();
    add("--traces-dir", options.traces_dir, "DIR", "Directory with the files of kalos and philly")
        ->capture_default_str();
    add("--racks", options.racks, "N", "Racks of the cluster")->required();
    add("--nodes-per-rack", options.nodes_per_rack, "N", "Nodes per rack")->capture_default_str();
    add("--block-sizes", options.block_sizes, "N,N,...",
        "BlockSizes of the cluster (default: the rack size and its doublings)");
    add("--unavailable", options.unavailable, "PERCENT", "Nodes out of service all the time")
        ->capture_default_str();
    add("--policy", options.policies, "NAME,...",
        fmt::format("all, or some of {}", fmt::join(replay::strategy_names(), ",")))
        ->capture_default_str();
    add("--jobs", options.jobs, "N",
        "Number of jobs of the (first) trace; a larger one repeats it with shuffled jobs");
    add("--seed", options.seed, "N", "Seed of all random choices")->capture_default_str();
    add("--runs", options.runs, "N",
        "Number of runs, with this seed and the following ones; the means are printed")
        ->capture_default_str();
    add("--load", options.load, "FACTOR",
        "Node time requested, relative to the cluster's; 0 keeps the recorded arrival times")
        ->capture_default_str();
    add("--segment-rule", options.segment_rule, "RULE",
        "nvidia, plain or FROM:SEGMENT,...: jobs of FROM nodes or more request that segment")
        ->capture_default_str();
    add("--reservations", options.reservations, "N",
        "Number of waiting jobs whose start backfill does not delay; 1 is EASY backfill")
        ->capture_default_str();
    add("--svg", options.svg, "FILE", "Write charts to FILE");
    replay.add_flag("--json", options.json, "Print JSON");
    replay.footer(help_footer);
    return replay;
}

int run_replay(const ReplayOptions& options, Console& console) {
    const replay::SiteOptions site = site_options(options);
    const Topology topology = checked_site(site, console);
    replay::SimulationOptions simulation;
    simulation.in_service = replay::in_service(site);
    simulation.reservations = parse_count("--reservations", options.reservations, 1);
    const auto chosen = strategies(options.policies);
    const std::vector<replay::Workload> workloads =
        make_workloads(options, workload_options(options, simulation.in_service.count()));

    std::vector<replay::Metrics> metrics;
    metrics.reserve(chosen.size());
    for (const auto& strategy : chosen)
        metrics.push_back(measure_runs(topology, workloads, *strategy, simulation, console));
    replay::ReplayFacts facts = make_facts(options, site, topology, workloads.front());
    facts.reservations = simulation.reservations;
    facts.runs = static_cast<std::uint32_t>(workloads.size());
    if (!options.svg.empty()) write_svg(options.svg, replay::replay_svg(facts, metrics));
    console.out << (options.json ? replay::report_json(facts, metrics) + '\n'
                                 : replay::report_text(facts, metrics));
    return exit_ok;
}

}  // namespace nvl72block::cli
