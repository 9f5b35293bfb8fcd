// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/check_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/check/check_report.hpp"
#include "cli/check/check_topology.hpp"
#include "cli/check/known_cluster_sources.hpp"
#include "cli/check/node_sets.hpp"
#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/requests_file.hpp"
#include "cli/json_line.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* check_footer = R"(
Exit status: 0 the plugin loads the topology, and its blocks and cliques agree; 1 they do not agree; 2 the plugin would
refuse the topology, or other input is invalid.

Examples:
  The topology file, nodes and cliques of the running cluster:
    nvl72block check
  A changed file before scontrol reconfigure, with the nodes of the running cluster:
    nvl72block check --topology topology.yaml --live
  The same in a pipeline, without a cluster:
    nvl72block check --topology topology.conf --nodes 'node[000-107]' --param Nvl72Aggregate=name
  Cliques from Kubernetes, where NVIDIA's device plugin labels the nodes:
    kubectl get nodes -o json > nodes.json
    nvl72block check --topology topology.conf --features nodes.json --json)";

/// A file or a cluster, and what it is compared with.
struct Subject {
    KnownCluster known;
    CheckedFile file;
    std::vector<JobRecord> jobs;  ///< of the cluster
};

Options read_param(const std::string& param, std::ostream& notes) {
    std::vector<std::string> findings;
    const Options options = parse_options(param, findings);
    for (const std::string& finding : findings) notes << "warning: " << finding << '\n';
    return options;
}

/// With the plugin's own prefix, unless another one is given.
FeatureOptions features_of(const CheckOptions& options, const Options& param) {
    FeatureOptions features = options.features;
    if (features.prefix.empty()) features.prefix = param.clique_prefix;
    return features;
}

void note_difference(const LoadedCluster& loaded, const std::string& file, const Document& document,
                     std::ostream& notes) {
    const std::vector<std::string> names = blocks_not_in_force(loaded, document);
    if (names.empty()) return;
    notes << fmt::format(
        "note: {} is not what scontrol show topology shows, in {}; scontrol reconfigure loads the "
        "file\n",
        file, excerpt(compress_hostlist(names)));
}

void refuse(bool given, const char* option, const char* remedy) {
    if (given) throw InputError(option, "cannot be combined with the running cluster", remedy);
}

/// The running cluster, or a snapshot of one.
Subject cluster_subject(const CheckOptions& options, std::ostream& notes) {
    refuse(!options.nodes.empty(), "--nodes", "the cluster's nodes are known; leave it out");
    const bool live = options.state.empty();
    const Document document = state_document(options.state);
    const ConfigRecord config = read_config(document);
    const Options param =
        read_param(options.param.empty() ? config.topology_param : options.param, notes);
    Subject subject{cluster_of(document, config, param, notes), {}, {}};
    subject.jobs = jobs_of(document, subject.known, notes);
    if (live) subject.known.sets = node_sets_of(config.slurm_conf);
    if (!options.features.files.empty())
        subject.known.inventory = read_features(features_of(options, param));
    std::string file = options.topology;
    // A snapshot's cluster is not necessarily the one that this host's files belong to.
    if (file.empty() && live) file = file_of_cluster(config);
    if (file.empty()) {
        subject.file = blocks_in_force(document, notes);
        return subject;
    }
    subject.file = check_topology(file, subject.known);
    const bool follows = subject.known.options.cliques == CliqueMode::derive;
    if (subject.file.loaded && options.topology.empty() && !follows)
        note_difference(*subject.file.loaded, file, document, notes);
    return subject;
}

/// A file alone.
Subject file_subject(const CheckOptions& options, std::ostream& notes) {
    const Options param = read_param(options.param, notes);
    Subject subject{cluster_of_options(options.nodes, features_of(options, param)), {}, {}};
    subject.known.options = param;
    subject.file = check_topology(options.topology, subject.known);
    if (options.nodes.empty() && options.features.files.empty())
        notes << "note: node names are not compared with slurm.conf; pass the nodes with --nodes, "
                 "or ask the running cluster with --live\n";
    return subject;
}

void print_diagnostics(const Diagnostics& diagnostics, std::ostream& notes) {
    for (const Diagnostic& each : diagnostics) {
        if (each.severity == Severity::warning) notes << "warning: ";
        if (each.severity == Severity::note) notes << "note: ";
        notes << to_string(each) << '\n';
    }
}

/// Segments of the cluster's jobs and of --requests that help nobody.
std::vector<SegmentFinding> findings_of_segments(const CheckOptions& options,
                                                 const Subject& subject) {
    std::vector<SegmentFinding> findings;
    if (!subject.file.loaded) return findings;
    const std::uint32_t rack = subject.file.loaded->topology().planning_size();
    findings = segment_findings(subject.jobs, rack);
    if (options.requests.empty()) return findings;
    const std::vector<SegmentFinding> more =
        segment_findings(read_requests(options.requests), rack);
    findings.insert(findings.end(), more.begin(), more.end());
    return findings;
}

/// The cliques of the cluster's nodes; nullopt if no node names one.
std::optional<CliqueMap> cliques_of(Subject& subject, std::ostream& notes) {
    if (!subject.file.loaded || nodes_with_word(subject.known.inventory).empty())
        return std::nullopt;
    LoadedCluster& loaded = *subject.file.loaded;
    CliqueMap cliques = clique_map(loaded, subject.known.inventory, notes);
    // With Nvl72Clique=derive, which only a topology.conf has, there are no blocks without cliques.
    if (loaded.cluster.clique_mode() == CliqueMode::derive) {
        loaded.cluster = loaded.cluster.with_cliques(std::make_shared<const CliqueMap>(cliques));
        subject.file.topologies = {facts_of(loaded.topology())};
    }
    return cliques;
}

}  // namespace

CLI::App& add_check(CLI::App& app, CheckOptions& options) {
    CLI::App& check = *app.add_subcommand(
        "check",
        "Check whether the plugin would load a topology file, and whether its blocks agree with "
        "the NVLink cliques that the fabric reports");
    check
        .add_option("--topology", options.topology,
                    "The topology.conf or topology.yaml (default: the running cluster's)")
        ->type_name("FILE");
    check.add_flag("--live", options.live,
                   "Check --topology against the nodes, features and options of the running "
                   "cluster");
    check
        .add_option("--state", options.state,
                    "The same of a cluster that nvl72block snapshot saved")
        ->type_name("DIR");
    check
        .add_option("--nodes", options.nodes,
                    "All nodes of slurm.conf: other names in --topology are errors")
        ->type_name("HOSTLIST");
    check
        .add_option("--param", options.param,
                    "TopologyParam= of slurm.conf, of which the words Nvl72... matter (default: "
                    "the running cluster's)")
        ->type_name("TEXT");
    check
        .add_option("--requests", options.requests,
                    "Jobs, one per line as for plan --requests, of which segments that are too "
                    "small to help are named")
        ->type_name("FILE");
    add_feature_options(check, options.features);
    check.add_flag("--json", options.json, "Print JSON on one line");
    check.footer(check_footer);
    return check;
}

int run_check(const CheckOptions& options, Console& console) {
    const bool of_cluster = options.topology.empty() || options.live || !options.state.empty();
    Subject subject =
        of_cluster ? cluster_subject(options, console.err) : file_subject(options, console.err);
    print_diagnostics(subject.file.diagnostics, console.err);
    const std::optional<CliqueMap> cliques = cliques_of(subject, console.err);
    std::optional<CliqueReport> report;
    if (cliques) report = compare_cliques(subject.file.loaded->topology(), *cliques);
    const std::vector<SegmentFinding> segments = findings_of_segments(options, subject);
    if (options.json) {
        nlohmann::ordered_json json =
            check_json(subject.file, cliques ? &*cliques : nullptr, report ? &*report : nullptr);
        json["segments"] = segments_json(segments);
        console.out << json_line(json) << '\n';
    } else {
        console.out << file_text(subject.file) << segments_text(segments);
        if (report) console.out << check_text(*subject.file.loaded, *cliques, *report);
    }
    if (!subject.file.valid()) return exit_bad_input;
    return report && !report->findings.empty() ? exit_findings : exit_ok;
}

}  // namespace nvl72block::cli
