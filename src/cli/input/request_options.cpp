// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/request_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

std::string option_location(const std::string& location, const char* option) {
    return location.empty() ? option : fmt::format("{}: {}", location, option);
}

/// Without --nodes, Slurm asks for as many nodes as the node list names.
CountRange node_count(const RequestOptions& options, const JobRequest& request,
                      const std::string& location) {
    if (!options.nodes.empty())
        return parse_count_range(option_location(location, "--nodes"), options.nodes);
    const std::size_t named = expand_list(request.nodelist.location, request.nodelist.text).size();
    if (named == 0)
        throw InputError(option_location(location, "--nodes"), "is missing",
                         "write --nodes=N or --nodes=MIN-MAX");
    const auto count = static_cast<std::uint32_t>(named);
    return {count, count};
}

Policy checked_policy(const RequestOptions& options, const std::string& location) {
    if (options.policy.empty()) return policy_values.front().value;
    const std::optional<Policy> policy = value_named(policy_values, options.policy);
    if (!policy)
        throw InputError(option_location(location, "--policy"),
                         fmt::format("unknown policy \"{}\"", options.policy),
                         "write one of " + join_names(policy_values, ", "));
    return *policy;
}

std::optional<Demand> checked_demand(const RequestOptions& options, Policy policy,
                                     const std::string& location) {
    if (options.demand.empty() || options.demand == "auto") return std::nullopt;
    if (options.demand == "off") return Demand();
    const std::string option = option_location(location, "--demand");
    if (policy != Policy::demand)
        throw InputError(option, "has no effect with this policy",
                         "add --policy=demand or drop the option");
    std::string error;
    std::optional<Demand> demand = Demand::parse(options.demand, error);
    if (!demand) throw InputError(option + ": " + error);
    return demand;
}

void check_segment_options(const JobRequest& request, const std::string& location) {
    if (request.segment_size != 0) return;
    for (const auto& [given, option] :
         {std::pair{request.spread_segments, "--spread-segments"},
          std::pair{request.consolidate_segments, "--consolidate-segments"}})
        if (given)
            throw InputError(option_location(location, option), "has no effect without segments",
                             "add --segment=NODES or drop the option");
}

}  // namespace

void add_request_options(CLI::App& app, RequestOptions& options) {
    const char* group = "Options of the job, as in sbatch";
    app.add_option("-N,--nodes", options.nodes, "Number of nodes; of MIN-MAX the largest that fits")
        ->type_name("N|MIN-MAX")
        ->group(group);
    app.add_option("--segment", options.segment,
                   "Nodes per segment; each segment is placed in one block")
        ->type_name("NODES")
        ->group(group);
    app.add_flag("--spread-segments", options.spread_segments, "No two segments share a base block")
        ->group(group);
    app.add_flag("--consolidate-segments", options.consolidate_segments,
                 "All segments in one aggregated block")
        ->group(group);
    app.add_flag("--exclusive-topo", options.exclusive_topo,
                 "The job has its base blocks to itself (sbatch --exclusive=topo)")
        ->group(group);
    app.add_option("--max-blocks", options.max_blocks, "At most this many base blocks")
        ->type_name("N")
        ->group(group);
    app.add_option(
           "-w,--nodelist", options.nodelist,
           "Nodes that the job must have; if more than the job's node count, the only nodes "
           "it may have")
        ->type_name("HOSTLIST")
        ->group(group);
    app.add_option("-x,--exclude", options.exclude, "Nodes that the job must not have")
        ->type_name("HOSTLIST")
        ->group(group);
    app.add_option("--policy", options.policy,
                   fmt::format("Order of preferences: {} (default {})",
                               join_names(policy_values, ", "), policy_values.front().name))
        ->type_name("NAME")
        ->group(group);
    app.add_option(
           "--demand", options.demand,
           "Sizes that the cluster's jobs ask for, with --policy=demand: NODES:SHARE joined "
           "by +, such as 16:0.8+4:0.2, or off; auto (the default): those that the running "
           "cluster knows, and none with --topology")
        ->type_name("FORM|auto|off")
        ->group(group);
}

JobRequest checked_request(const RequestOptions& options, const std::string& location) {
    JobRequest request;
    request.location = location;
    request.nodelist = {option_location(location, "--nodelist"), options.nodelist};
    request.exclude = {option_location(location, "--exclude"), options.exclude};
    request.nodes = node_count(options, request, location);
    if (!options.segment.empty())
        request.segment_size =
            parse_count(option_location(location, "--segment"), options.segment, 1);
    if (!options.max_blocks.empty())
        request.max_base_blocks =
            parse_count(option_location(location, "--max-blocks"), options.max_blocks, 1);
    request.spread_segments = options.spread_segments;
    request.consolidate_segments = options.consolidate_segments;
    request.exclusive_topo = options.exclusive_topo;
    request.policy = checked_policy(options, location);
    request.demand = checked_demand(options, request.policy, location);
    check_segment_options(request, location);
    return request;
}

}  // namespace nvl72block::cli
