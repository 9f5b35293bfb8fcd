// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/replay/replay_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/output/replace_file.hpp"
#include "cli/replay/progress_bar.hpp"
#include "cli/replay/replay_sources.hpp"
#include "files/read_file.hpp"
#include "nvl72block/learned_demand.hpp"
#include "replay/figures/average.hpp"
#include "replay/figures/drawing.hpp"
#include "replay/figures/report.hpp"
#include "replay/simulation/scenario.hpp"
#include "replay/throughput/run_model.hpp"
#include "replay/workload/job_log.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* replay_footer = R"(
Workloads: llm (training of large language models, 8 to 1024 GPUs for most of the node time), small
(many small jobs), capability (16 to 506 nodes for hours), inference (1 to 18 nodes in one segment,
for days) and services (1, 2 or 4 nodes for a day to 120 days; needs a share). NAME:SHARE
takes that share of the node time; the other workloads and the logs divide the rest of --load
equally. Arrival times are multiplied by the factor that gives the load. A job takes whole nodes of
4 GPUs and requests segments by --segment-rule; its size is rounded up to whole segments.
Logs: sacct -aX -P -o Submit,Start,End,Timelimit,NNodes,ReqTRES; the Standard Workload Format; or
comma-separated values with the columns timestamp, duration and num_gpus.

Examples:
  nvl72block replay --racks 16
  nvl72block replay --workload llm,services:0.1 --racks 48 --jobs 1000 --warm 30 --load 0.8
  nvl72block replay --trace last-month.txt --racks 16 --load 0 --policy pack,stock-26.05 --svg waits.svg)";

constexpr std::uint32_t max_racks = 4096;
constexpr std::uint32_t max_cluster_nodes = 1U << 17;

double parse_share(const std::string& option, const std::string& text, double most) {
    const auto value = number_of<double>(text);
    if (!value || *value < 0 || *value > most)
        throw InputError(option, fmt::format("\"{}\" is not a number from 0 to {}", text, most),
                         fmt::format("write a number from 0 to {}", most));
    return *value;
}

replay::ClusterOptions cluster_options(const ReplayOptions& options) {
    replay::ClusterOptions cluster;
    cluster.racks = parse_count("--racks", options.racks, 1);
    cluster.nodes_per_rack = parse_count("--nodes-per-rack", options.nodes_per_rack, 1);
    if (cluster.racks > max_racks || cluster.nodes_per_rack > max_cluster_nodes / cluster.racks)
        throw InputError(
            "--racks", "the cluster is too large to replay",
            fmt::format("at most {} racks and {} nodes", max_racks, max_cluster_nodes));
    if (!options.block_sizes.empty())
        for (const std::string& size : split_at_commas(options.block_sizes))
            cluster.block_sizes.push_back(parse_count("--block-sizes", size, 1));
    cluster.unavailable = parse_share("--unavailable", options.unavailable, 99) / 100;
    cluster.seed = parse_large_count("--seed", options.seed);
    return cluster;
}

Topology checked_topology(const replay::ClusterOptions& options, Console& console) {
    Diagnostics diagnostics;
    std::optional<Topology> topology = replay::make_topology(options, diagnostics);
    if (!topology)
        throw InputError(diagnostics.empty() ? "--block-sizes" : to_string(diagnostics.front()));
    for (const Diagnostic& diagnostic : diagnostics)
        console.err << "note: " << to_string(diagnostic) << '\n';
    return std::move(*topology);
}

DemandHistory read_history(const std::string& file) {
    constexpr std::size_t longest = 65536;
    std::string text;
    if (const auto failure = read_file(file, longest, text))
        throw InputError("--history",
                         fmt::format("\"{}\" cannot be read: {}", file, failure->reason),
                         "pass a file that nvl72block learn wrote");
    LearnedDemand learned;
    std::string error;
    if (!learned.restore(text, DemandHistory::latest_time, error))
        throw InputError(file, error, "pass a file that nvl72block learn wrote");
    return learned.history();
}

replay::DemandSource demand_source(const std::string& text, const std::string& history) {
    using Kind = replay::DemandSource::Kind;
    if (!history.empty() && text != "auto")
        throw InputError("--history", fmt::format("has no effect with --demand {}", text),
                         "leave out one of them");
    if (text == "auto" && !history.empty()) return {Kind::learned, {}, read_history(history)};
    if (text == "auto") return {Kind::learned, {}};
    if (text == "known") return {Kind::known, {}};
    if (text == "off") return {Kind::stated, {}};
    std::string error;
    const std::optional<Demand> demand = Demand::parse(text, error);
    if (!demand) throw InputError("--demand: " + error);
    return {Kind::stated, *demand};
}

std::vector<std::unique_ptr<replay::Strategy>> strategies(const std::string& names,
                                                          const replay::DemandSource& demand) {
    std::vector<std::unique_ptr<replay::Strategy>> chosen;
    for (const std::string& name :
         names == "all" ? replay::strategy_names() : split_at_commas(names)) {
        chosen.push_back(replay::make_strategy(name, demand));
        if (!chosen.back())
            throw InputError(
                "--policy", fmt::format("unknown policy \"{}\"", name),
                fmt::format("write all or some of {}", fmt::join(replay::strategy_names(), ",")));
    }
    return chosen;
}

replay::WorkloadOptions workload_options(const ReplayOptions& options, std::uint32_t cluster_nodes,
                                         double load) {
    replay::WorkloadOptions workload;
    workload.cluster_nodes = cluster_nodes;
    workload.seed = parse_large_count("--seed", options.seed);
    workload.load = load;
    if (!options.jobs.empty()) workload.jobs = parse_count("--jobs", options.jobs, 1);
    if (workload.jobs > replay::max_workload_jobs)
        throw InputError("--jobs", "too many jobs",
                         fmt::format("write at most {}", replay::max_workload_jobs));
    workload.rule = parse_segment_rule(options.segment_rule);
    const std::optional<replay::Limits> limits = replay::parse_limits(options.limits);
    if (!limits)
        throw InputError("--limits", fmt::format("\"{}\" is not known", options.limits),
                         "write exact or typical");
    workload.limits = *limits;
    constexpr double max_warm = 90;
    workload.warm = parse_share("--warm", options.warm, max_warm) / 100;
    return workload;
}

std::vector<double> loads(const ReplayOptions& options) {
    constexpr double most = 100;
    std::vector<double> values;
    for (const std::string& text : split_at_commas(options.load))
        values.push_back(parse_share("--load", text, most));
    return values;
}

std::string workload_text(const ReplayOptions& options) {
    const bool nothing = options.traces.empty() && options.workload.empty();
    return nothing ? std::string(default_workload) : options.workload;
}

/// One workload per run.
std::vector<replay::Workload> make_workloads(const ReplayOptions& options,
                                             replay::WorkloadOptions wanted,
                                             const std::vector<replay::Source>& sources) {
    constexpr std::uint32_t max_runs = 1000;
    const std::uint32_t runs = parse_count("--runs", options.runs, 1);
    if (runs > max_runs)
        throw InputError("--runs", "too many runs", fmt::format("write at most {}", max_runs));
    check_shares(sources, wanted.load);
    std::vector<replay::Workload> workloads;
    try {
        for (std::uint32_t run = 0; run < runs; ++run, ++wanted.seed)
            workloads.push_back(replay::make_workload(sources, wanted));
    } catch (const replay::TooManyJobs&) {
        throw InputError("--trace",
                         fmt::format("a log or workload after the first would have more than {} "
                                     "jobs at this load",
                                     replay::max_workload_jobs),
                         "give it a smaller share, or leave it out");
    }
    if (workloads.front().jobs.empty())
        throw InputError("--racks", "no job fits into the cluster", "add racks");
    return workloads;
}

/// What every run has in common.
struct RunOptions {
    replay::SimulationOptions simulation;
    std::optional<replay::ThroughputOptions> throughput;
    std::uint64_t seed = 0;  ///< of the first run
};

/// Simulates every run under one strategy.
replay::Metrics measure_runs(const Topology& topology,
                             const std::vector<replay::Workload>& workloads,
                             replay::Strategy& strategy, const RunOptions& run,
                             const Console& console) {
    std::size_t jobs = 0;
    for (const replay::Workload& workload : workloads) jobs += workload.jobs.size();
    ProgressBar bar(console.err, strategy.name(), jobs, console.err_terminal);
    std::vector<replay::Metrics> runs;
    std::size_t done = 0;
    replay::SimulationOptions simulation = run.simulation;
    std::uint64_t seed = run.seed;
    for (const replay::Workload& workload : workloads) {
        if (run.throughput)
            simulation.run =
                replay::make_run_model(*run.throughput, topology, workload.jobs, seed++);
        const auto progress = [&](std::size_t started) { bar.update(done + started); };
        runs.push_back(replay::measure(topology, workload.jobs, strategy, simulation, progress));
        done += workload.jobs.size();
    }
    return replay::average(runs);
}

std::vector<std::string> names_of(const ReplayOptions& options) {
    std::vector<std::string> names;
    for (const std::string& text : {options.traces, workload_text(options)})
        if (!text.empty()) names.push_back(text);
    return names;
}

replay::ReplayFacts make_facts(const ReplayOptions& options, const replay::ClusterOptions& cluster,
                               const Topology& topology, const replay::Workload& workload) {
    replay::ReplayFacts facts;
    facts.workload = fmt::format("{}", fmt::join(names_of(options), ","));
    facts.racks = cluster.racks;
    facts.nodes_per_rack = cluster.nodes_per_rack;
    facts.in_service = replay::in_service(cluster).count();
    for (const Level& level : topology.levels()) facts.block_sizes.push_back(level.nodes);
    facts.segment_rule = options.segment_rule;
    facts.seed = cluster.seed;
    facts.limits = options.limits;
    facts.jobs = workload.measured();
    facts.warm_jobs = workload.warm;
    facts.too_large = workload.too_large;
    facts.time_scale = workload.time_scale;
    facts.load = workload.load;
    if (options.throughput.given()) facts.throughput = describe_throughput(options.throughput);
    facts.window = workload.jobs.back().submit;
    return facts;
}

}  // namespace

CLI::App& add_replay(CLI::App& app, ReplayOptions& options) {
    CLI::App& replay = *app.add_subcommand(
        "replay", "Replay jobs under each policy and compare occupancy, waits and fragmentation");
    const auto add = [&replay](const char* name, std::string& value, const char* type,
                               const std::string& help) {
        return replay.add_option(name, value, help)->type_name(type);
    };
    add("--workload", options.workload, "NAME[:SHARE],...",
        fmt::format("Generated jobs: llm, small, capability, inference, services (default without "
                    "--trace: {})",
                    default_workload));
    add("--trace", options.traces, "FILE,...", "Logs of recorded jobs; see below");
    add("--racks", options.racks, "N", "Racks of the cluster")->required();
    add("--nodes-per-rack", options.nodes_per_rack, "N", "Nodes per rack")->capture_default_str();
    add("--block-sizes", options.block_sizes, "N,N,...",
        "BlockSizes of the cluster (default: the rack size and its doublings)");
    add("--unavailable", options.unavailable, "PERCENT", "Nodes out of service all the time")
        ->capture_default_str();
    add("--policy", options.policies, "NAME,...",
        fmt::format("all, or some of {}", fmt::join(replay::strategy_names(), ",")))
        ->capture_default_str();
    add("--demand", options.demand, "FORM|auto|known|off",
        "What policy demand keeps slots for: what jobs asked for so far (auto), in all of the "
        "replay (known), nothing (off) or NODES:SHARE+NODES:SHARE..., such as 16:0.8+4:0.2")
        ->capture_default_str();
    add("--history", options.history, "FILE",
        "What policy demand has learned before the first job, as nvl72block learn writes it");
    add("--jobs", options.jobs, "N",
        "Number of measured jobs of the first log or workload; a log is repeated with shuffled "
        "jobs");
    add("--seed", options.seed, "N", "Seed of all random choices")->capture_default_str();
    add("--runs", options.runs, "N",
        "Number of runs, with this seed and the following ones; the means are printed")
        ->capture_default_str();
    add("--load", options.load, "FACTOR,...",
        "Node time requested, relative to the cluster's; 0 keeps the recorded arrival times. "
        "Several loads are replayed in sequence, and --svg draws the figures by load")
        ->capture_default_str();
    add("--segment-rule", options.segment_rule, "RULE",
        "nvidia, plain or FROM:SEGMENT,...: jobs of FROM nodes or more request that segment")
        ->capture_default_str();
    add("--limits", options.limits, "exact|typical",
        "Time limits: the duration, or as recorded or rounded up to what people ask for")
        ->capture_default_str();
    add("--throughput", options.throughput.kinds, "KIND[:SHARE],...",
        fmt::format("What torn jobs lose, by the kind of the jobs: {} (default: nothing)",
                    throughput::job_kind_names()));
    add("--torn", options.throughput.torn, "LOSS",
        "Share of its throughput that every torn job loses, such as 0.10, instead of --throughput");
    add("--fabric", options.throughput.fabric, "gb200|gb300",
        "The network between racks that --throughput calculates with")
        ->capture_default_str();
    add("--warm", options.warm, "PERCENT",
        "First part of the jobs, simulated but not measured; the cluster's history")
        ->capture_default_str();
    add("--reservations", options.reservations, "N",
        "Number of waiting jobs whose start backfill does not delay; 1 is EASY backfill")
        ->capture_default_str();
    add("--svg", options.svg, "FILE", "Write charts to FILE");
    add("--write-log", options.write_log, "FILE",
        "Write the jobs of the first run to FILE, for --trace and learn");
    replay.add_flag("--json", options.json, "Print JSON");
    replay.footer(replay_footer);
    return replay;
}

int run_replay(const ReplayOptions& options, Console& console) {
    if (!options.svg.empty()) check_replaceable("--svg", options.svg);
    const replay::ClusterOptions cluster = cluster_options(options);
    const Topology topology = checked_topology(cluster, console);
    RunOptions run{{}, parse_throughput(options.throughput), cluster.seed};
    run.simulation.in_service = replay::in_service(cluster);
    run.simulation.reservations = parse_count("--reservations", options.reservations, 1);
    const auto chosen =
        strategies(options.policies, demand_source(options.demand, options.history));
    const std::vector<replay::Source> sources =
        replay_sources(options.traces, workload_text(options), console.err);
    std::vector<replay::Replay> replays;
    for (const double load : loads(options)) {
        const std::vector<replay::Workload> workloads = make_workloads(
            options, workload_options(options, run.simulation.in_service.count(), load), sources);
        if (!options.write_log.empty() && replays.empty())
            replace_file("--write-log", options.write_log, replay::job_log(workloads.front().jobs));
        replay::Replay replay{make_facts(options, cluster, topology, workloads.front()), {}};
        replay.facts.reservations = run.simulation.reservations;
        replay.facts.runs = static_cast<std::uint32_t>(workloads.size());
        for (const auto& strategy : chosen)
            replay.metrics.push_back(measure_runs(topology, workloads, *strategy, run, console));
        replays.push_back(std::move(replay));
    }
    for (const replay::Replay& replay : replays) {
        if (&replay != replays.data() && !options.json) console.out << '\n';
        console.out << (options.json ? report_json(replay.facts, replay.metrics) + '\n'
                                     : report_text(replay.facts, replay.metrics));
    }
    if (!options.svg.empty()) replace_file("--svg", options.svg, replay::replay_svg(replays));
    return exit_ok;
}

}  // namespace nvl72block::cli
