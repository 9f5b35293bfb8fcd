// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/request_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

std::string option_place(const std::string& place, const char* option) {
    return place.empty() ? option : fmt::format("{}: {}", place, option);
}

/// Without --nodes, Slurm asks for as many nodes as the node list names.
CountRange node_count(const RequestOptions& options, const JobRequest& request,
                      const std::string& place) {
    if (!options.nodes.empty())
        return parse_count_range(option_place(place, "--nodes"), options.nodes);
    const std::size_t named = expand_list(request.nodelist.place, request.nodelist.text).size();
    if (named == 0)
        throw InputError(option_place(place, "--nodes"), "is missing",
                         "write --nodes=N or --nodes=MIN-MAX");
    const auto count = static_cast<std::uint32_t>(named);
    return {count, count};
}

Policy checked_policy(const RequestOptions& options, const std::string& place) {
    if (options.policy.empty()) return Policy::pack;
    const std::optional<Policy> policy = value_named(policy_values, options.policy);
    if (!policy)
        throw InputError(option_place(place, "--policy"),
                         fmt::format("unknown policy \"{}\"", options.policy),
                         "write one of " + join_names(policy_values, ", "));
    return *policy;
}

void check_segment_options(const JobRequest& request, const std::string& place) {
    if (request.segment_size != 0) return;
    for (const auto& [given, option] :
         {std::pair{request.spread_segments, "--spread-segments"},
          std::pair{request.consolidate_segments, "--consolidate-segments"}})
        if (given)
            throw InputError(option_place(place, option), "has no effect without segments",
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
                   "Order of preferences: " + join_names(policy_values, ", ") + " (default pack)")
        ->type_name("NAME")
        ->group(group);
}

JobRequest checked_request(const RequestOptions& options, const std::string& place) {
    JobRequest request;
    request.place = place;
    request.nodelist = {option_place(place, "--nodelist"), options.nodelist};
    request.exclude = {option_place(place, "--exclude"), options.exclude};
    request.nodes = node_count(options, request, place);
    if (!options.segment.empty())
        request.segment_size = parse_count(option_place(place, "--segment"), options.segment, 1);
    if (!options.max_blocks.empty())
        request.max_base_blocks =
            parse_count(option_place(place, "--max-blocks"), options.max_blocks, 1);
    request.spread_segments = options.spread_segments;
    request.consolidate_segments = options.consolidate_segments;
    request.exclusive_topo = options.exclusive_topo;
    request.policy = checked_policy(options, place);
    check_segment_options(request, place);
    return request;
}

}  // namespace nvl72block::cli
