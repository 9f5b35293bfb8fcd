// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/plan_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/requests_file.hpp"
#include "cli/input/weights_file.hpp"
#include "cli/json_line.hpp"
#include "cli/plan/plan_report.hpp"
#include "cli/plan/sbatch_line.hpp"
#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* plan_footer = R"(
Exit status: 0 the job fits (all jobs of --requests do), 1 it does not, 2 the input is invalid.

Examples:
  In the running cluster:
    nvl72block plan --nodes 64 --segment 16 --time 4:00:00
  64 nodes as four segments of 16, while node[001-018] are busy:
    nvl72block plan --topology topology.conf --nodes 64 --segment 16 --busy node[001-018]
  A job as it would be submitted, with the #SBATCH lines of its script:
    nvl72block plan -- sbatch --nodes=32 --segment=16 --gpus-per-node=4 job.sh
  Several jobs in sequence, from a file with lines such as "--nodes=64 --segment=16" and
  # comments; the nodes of each job are busy for the following ones:
    nvl72block plan --topology topology.conf --requests jobs.txt --json)";

bool gives_one_job(const RequestOptions& job) {
    return !job.nodes.empty() || !job.segment.empty() || !job.max_blocks.empty() ||
           !job.nodelist.empty() || !job.exclude.empty() || !job.policy.empty() ||
           !job.demand.empty() || job.spread_segments || job.consolidate_segments ||
           job.exclusive_topo;
}

/// Where the cluster's state comes from, and the jobs other than from the options of one job.
enum Source : unsigned { in_files = 1, in_cluster = 2, by_file = 4, by_sbatch = 8 };

/// An option, and the sources that heed it: with another one it would be ignored.
struct Given {
    const char* option;
    bool given;
    unsigned with;
};

std::vector<Given> options_given(const PlanOptions& options) {
    const LiveJobOptions& live = options.live;
    return {
        {"the options of one job", gives_one_job(options.job), in_files | in_cluster},
        {"--requests", !options.requests.empty(), in_files | in_cluster | by_file},
        {"--topology", options.topology.has_value(), in_files | by_file},
        {"--partition", !live.partition.empty(), in_cluster | by_file},
        {"--time", !live.time.empty(), in_cluster | by_file},
        {"--reservation", !live.reservation.empty(), in_cluster | by_file},
        {"--constraint", !live.constraint.empty(), in_cluster | by_file},
        {"--state", !options.state.empty(), in_cluster | by_file | by_sbatch},
        {"--busy", !options.busy.empty(), in_files | by_file | by_sbatch},
        {"--drained", !options.drained.empty(), in_files | by_file | by_sbatch},
        {"--weights", !options.weights.empty(), in_files | by_file | by_sbatch},
        {"--features", !options.cliques.features.files.empty(), in_files | by_file | by_sbatch},
    };
}

void refuse_ignored_options(const PlanOptions& options) {
    const Source state = options.topology ? in_files : in_cluster;
    const std::vector<Given> rows = options_given(options);
    const auto ignored = [&](Source source) {
        const auto row = std::ranges::find_if(
            rows, [&](const Given& each) { return each.given && (each.with & source) == 0; });
        return row == rows.end() ? nullptr : row->option;
    };
    if (!options.sbatch.empty() && ignored(by_sbatch) != nullptr)
        throw InputError("sbatch", "cannot be combined with other options of the job",
                         "write them after sbatch; only --state, --throughput and --json go "
                         "before --");
    if (!options.requests.empty() && ignored(by_file) != nullptr)
        throw InputError("--requests", "cannot be combined with the options of one job",
                         "write them on the lines of the file");
    if (const char* option = ignored(state))
        throw InputError(option, "cannot be combined with this source of the cluster's state",
                         "give either --topology with --busy, --drained, --weights and --features, "
                         "or --state, --partition, --time, --reservation and --constraint");
}

std::vector<JobRequest> requested_jobs(const PlanOptions& options) {
    if (!options.sbatch.empty()) return {};
    if (options.requests.empty()) return {checked_request(options.job, "")};
    return read_requests(options.requests);
}

/// Every list that may name nodes, so that the node table knows them all.
std::vector<NamedList> all_lists(const PlanOptions& options,
                                 const std::vector<JobRequest>& requests,
                                 const std::vector<WeightLine>& weights) {
    std::vector<NamedList> lists = {{"--busy", options.busy}, {"--drained", options.drained}};
    for (const WeightLine& line : weights) lists.push_back(line.nodes);
    for (const JobRequest& request : requests) {
        lists.push_back(request.nodelist);
        lists.push_back(request.exclude);
    }
    return lists;
}

struct Output {
    std::optional<PlacementCost> cost;
    bool json = false;
};

/// Prints one answer with what it leaves open.
void print(const LoadedCluster& loaded, const JobRequest& request, const LiveAnswer& live,
           SlurmTime now, const Output& output, Console& console) {
    const std::optional<PlacementCost>& cost = output.cost;
    const auto* placement = cost ? std::get_if<Placement>(&live.answer) : nullptr;
    if (output.json) {
        nlohmann::ordered_json line = plan_json(loaded, request, live.answer);
        if (placement != nullptr)
            line["throughput"] = cost->json(loaded.topology(), *placement, request.segment_size);
        if (live.start) line["start"] = time_text(*live.start);
        if (!live.remarks.empty()) line["remarks"] = live.remarks;
        console.out << json_line(line) << '\n';
        return;
    }
    console.out << plan_text(loaded, request, live.answer);
    if (placement != nullptr)
        console.out << "  throughput "
                    << cost->text(loaded.topology(), *placement, request.segment_size) << '\n';
    if (live.start)
        console.out << fmt::format("  start      {} (in {}), if no other job comes first\n",
                                   short_time(*live.start, now), duration_text(*live.start - now));
    for (const std::string& remark : live.remarks) console.out << "  note       " << remark << '\n';
}

ClusterState state_in_files(const PlanOptions& options, const std::vector<JobRequest>& requests,
                            Console& console) {
    std::vector<WeightLine> lines;
    if (!options.weights.empty()) lines = read_weights(options.weights);
    LoadedCluster loaded = load_cluster_with_cliques(
        *options.topology, all_lists(options, requests, lines), options.cliques, console.err);
    std::vector<std::uint64_t> weights;
    if (!lines.empty()) weights = node_weights(lines, loaded.nodes);
    const NodeSet busy = loaded.nodes.parse("--busy", options.busy);
    const NodeSet drained = loaded.nodes.parse("--drained", options.drained);
    return cluster_without_jobs(std::move(loaded), busy, drained, weights);
}

}  // namespace

CLI::App& add_plan(CLI::App& app, PlanOptions& options) {
    CLI::App& plan = *app.add_subcommand(
        "plan", "Plan a job: the nodes that the scheduler would choose, or why it does not fit");
    plan.add_option("--topology", options.topology,
                    "The topology.conf file (default: the running cluster as it is now)")
        ->type_name("FILE");
    plan.add_option("--state", options.state,
                    "A running cluster as nvl72block snapshot saved it, instead of --topology")
        ->type_name("DIR");
    plan.add_option("-p,--partition", options.live.partition,
                    "Of the running cluster (default: its default partition)")
        ->type_name("NAME");
    plan.add_option("-t,--time", options.live.time,
                    "Time limit of the job in the running cluster, as in sbatch")
        ->type_name("LIMIT");
    plan.add_option("--reservation", options.live.reservation,
                    "Reservation of the running cluster whose nodes the job uses")
        ->type_name("NAME");
    plan.add_option("-C,--constraint", options.live.constraint,
                    "Features that each node must have, joined by & or by |")
        ->type_name("FEATURES");
    plan.add_option("--busy", options.busy, "Nodes used by other jobs")->type_name("HOSTLIST");
    plan.add_option("--drained", options.drained, "Nodes out of service")->type_name("HOSTLIST");
    plan.add_option("--weights", options.weights,
                    "Node weights, one HOSTLIST WEIGHT per line; other nodes have weight 1")
        ->type_name("FILE");
    add_clique_options(plan, options.cliques);
    plan.add_option("--requests", options.requests,
                    "File with several jobs, one per line, planned in sequence")
        ->type_name("FILE");
    plan.add_option("--throughput", options.cost.kind,
                    fmt::format("Also print what the placement costs a job of this kind: {}",
                                throughput::job_kind_names()))
        ->type_name("KIND");
    plan.add_option("--fabric", options.cost.fabric,
                    "The network between racks that --throughput calculates with")
        ->type_name("gb200|gb300")
        ->capture_default_str();
    plan.add_flag("--json", options.json, "Print JSON, one line per job");
    add_request_options(plan, options.job);
    plan.footer(plan_footer);
    return plan;
}

int run_plan(const PlanOptions& options, Console& console) {
    refuse_ignored_options(options);
    std::vector<JobRequest> requests = requested_jobs(options);
    const Output output{PlacementCost::parse(options.cost), options.json};
    LivePlan plan(options.topology
                      ? state_in_files(options, requests, console)
                      : read_state({options.state, ""}, console.err, NodeOrder::as_in_slurm));
    const ClusterState& state = plan.state();
    const auto report = [&](const JobRequest& request, const LiveAnswer& answer) {
        print(state.cluster, request, answer, state.now, output, console);
        return std::holds_alternative<Refusal>(answer.answer) ? exit_does_not_fit : exit_ok;
    };
    if (!options.sbatch.empty()) {
        const JobRecord job = sbatch_job(state, parse_sbatch_line(options.sbatch));
        JobRequest request;
        request.segment_size = job.segment_size;
        request.policy = state.options.policy;
        return report(request, plan.plan(job, request));
    }
    if (!options.topology && options.requests.empty() && options.job.policy.empty())
        requests.front().policy = state.options.policy;
    int status = exit_ok;
    for (const JobRequest& request : requests)
        status = std::max<int>(status, report(request, plan.plan(request, options.live)));
    return status;
}

}  // namespace nvl72block::cli
