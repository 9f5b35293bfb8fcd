// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/capacity/capacity_command.hpp"

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/capacity/capacity.hpp"
#include "cli/capacity/capacity_report.hpp"
#include "cli/capacity/job_mix.hpp"
#include "cli/exit_code.hpp"
#include "cli/input/numbers.hpp"
#include "cli/json_line.hpp"
#include "cli/question/availability.hpp"
#include "cli/question/job_question.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* capacity_footer = R"(
A node counts as free if it is idle, in service, and in no reservation during the job. Priorities and limits of
accounts are not considered.

Examples:
  nvl72block capacity
  nvl72block capacity --segment 12 --segment 16 --partition main --time 4:00:00)";

std::vector<std::uint32_t> asked_sizes(const CapacityOptions& options, const ClusterState& state) {
    std::vector<std::uint32_t> sizes;
    for (const std::string& text : options.segments)
        sizes.push_back(parse_count("--segment", text, 1));
    return sizes.empty() ? segment_sizes(state.topology()) : sizes;
}

}  // namespace

CLI::App& add_capacity(CLI::App& app, CapacityOptions& options) {
    CLI::App& capacity = *app.add_subcommand(
        "capacity", "Count the segments and jobs that would start now in a running cluster");
    capacity
        .add_option(
            "--segment", options.segments,
            "Nodes per segment; repeatable (default: 1, 2, 4, 8, 9, 16, 18 and the block sizes)")
        ->type_name("N")
        ->allow_extra_args(false);
    capacity.add_option("-p,--partition", options.partition, "Default: the default partition")
        ->type_name("NAME");
    capacity
        .add_option("-t,--time", options.time,
                    "Time limit of the jobs, as in sbatch: reservations that begin later do not "
                    "matter (default: the partition's)")
        ->type_name("LIMIT");
    add_state_options(capacity, options.state);
    capacity.add_flag("--json", options.json, "Print JSON on one line");
    capacity.footer(capacity_footer);
    return capacity;
}

int run_capacity(const CapacityOptions& options, Console& console) {
    const ClusterState state = read_state(options.state, console.err);
    JobRecord job;  // that the numbers are for
    job.state = JobState::pending;
    job.partition = state.partition(options.partition).name;
    job.time_limit = asked_duration(options.time);
    job.exclusive_node = true;
    const JobQuestion question = job_question(state, job, 0);
    const Viewer& viewer = question.viewer;
    const Availability nodes = availability(state, viewer);
    NodeSet open = nodes.free;
    open.subtract(question.excluded);
    if (viewer.partition->exclusive_topo)
        open.subtract(whole_blocks(state.topology(), foreign_nodes(state, viewer)));
    Capacity result = capacity(state.topology(), open, asked_sizes(options, state));
    if (viewer.partition->max_nodes) limit(result, *viewer.partition->max_nodes);
    const JobMix mix = job_mix_of(state, *viewer.partition);
    if (!state.shows_segments && !mix.shares.empty())
        console.err << "note: Slurm " << state.slurm_version
                    << " shows no segment sizes; jobs with segments and no sentence count as "
                       "jobs without segments\n";
    const std::vector<Repair> repaired = repairs(state, viewer, nodes, mix);
    if (options.json) {
        nlohmann::ordered_json json = capacity_json(state, question, nodes, result, mix);
        json["repairs"] = repairs_json(state, repaired);
        console.out << json_line(json) << '\n';
    } else {
        console.out << capacity_text(state, question, nodes, result, mix, console.width)
                    << repairs_text(state, repaired);
    }
    return exit_ok;
}

}  // namespace nvl72block::cli
