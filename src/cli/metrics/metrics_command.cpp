// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/metrics/metrics_command.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/metrics/cluster_metrics.hpp"
#include "cli/metrics/reason_label.hpp"
#include "cli/output/replace_file.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* metrics_footer = R"help(
Examples:
  nvl72block metrics
  nvl72block metrics --output /var/lib/prometheus/node-exporter/nvl72block.prom
The second one is for node_exporter's textfile collector; configs/systemd has a timer for it.)help";

std::map<std::string, WaitingJobs> waiting_jobs(const ClusterState& state) {
    std::map<std::string, WaitingJobs> waiting;
    for (const JobRecord& job : state.jobs) {
        if (job.state != JobState::pending) continue;
        WaitingJobs& same = waiting[std::string(reason_label(job.reason))];
        ++same.jobs;
        same.nodes += job.min_nodes;
    }
    return waiting;
}

std::string text_of(const ShownCluster& shown, const ClusterState* state,
                    const ShadowFile* shadow) {
    MetricsSource source{shown.topology(), shown.states, shown.cliques ? &*shown.cliques : nullptr,
                         std::nullopt, shadow};
    if (state != nullptr) source.waiting = waiting_jobs(*state);
    return metrics_text(source);
}

std::string read_metrics(const MetricsOptions& options, std::ostream& notes) {
    std::optional<ShadowFile> shadow;
    if (!options.shadow.empty()) shadow = read_shadow_file(options.shadow);
    const ShadowFile* recorded = shadow ? &*shadow : nullptr;
    if (options.cluster.from_lists())
        return text_of(cluster_of_lists(options.cluster, notes), nullptr, recorded);
    const ClusterState state = state_of(options.cluster, notes);
    return text_of(cluster_of_state(state), &state, recorded);
}

}  // namespace

CLI::App& add_metrics(CLI::App& app, MetricsOptions& options) {
    CLI::App& metrics =
        *app.add_subcommand("metrics", "Print Prometheus metrics: what fits, fragmentation, waits");
    add_shown_options(metrics, options.cluster);
    metrics
        .add_option("--output", options.output,
                    "Write FILE, by way of a temporary file, instead of printing")
        ->type_name("FILE");
    metrics
        .add_option("--shadow", options.shadow,
                    "Include what shadow mode has recorded in FILE, see nvl72block shadow")
        ->type_name("FILE");
    metrics.footer(metrics_footer);
    return metrics;
}

int run_metrics(const MetricsOptions& options, Console& console) {
    const std::string text = read_metrics(options, console.err);
    if (options.output.empty())
        console.out << text;
    else
        replace_file("--output", options.output, text);
    return exit_ok;
}

}  // namespace nvl72block::cli
