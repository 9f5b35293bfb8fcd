// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/reproducer/reproducer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nvl72block/hostlist.hpp"

namespace nvl72block::cli {
namespace {

NodeSet without(NodeSet nodes, const NodeSet& others) {
    nodes.subtract(others);
    return nodes;
}

/// Not idle, and not given in part by a job of ours.
NodeSet busy_nodes(const Reproducer& reproducer) {
    NodeSet busy = without(all_nodes(reproducer.nodes), reproducer.idle);
    for (const SharedNode& each : reproducer.shared) busy.reset(each.node);
    return busy;
}

std::string topology_conf(const Reproducer& reproducer) {
    std::string text;
    for (std::size_t block = 0; block < reproducer.blocks.size(); ++block)
        text += fmt::format("BlockName=rack{:03} Nodes={}\n", block + 1,
                            replaced_names(reproducer.blocks[block]));
    return text + fmt::format("BlockSizes={}\n", reproducer.sizes);
}

bool has_gpus(const Reproducer& reproducer) {
    return std::ranges::any_of(reproducer.kinds,
                               [](const NodeKind& kind) { return kind.gpus != 0; });
}

std::string topology_param(Options options) {
    options.shadow = false;
    std::string text = to_string(options);
    std::replace(text.begin(), text.end(), ' ', ',');
    return text;
}

std::string slurm_conf(const Reproducer& reproducer) {
    std::string text = fmt::format(
        "# Slurm {}; ports, paths and users as your cluster or lab has them. topology/block first, "
        "then topology/nvl72block.\n"
        "TopologyPlugin=topology/block\n"
        "TopologyParam={}\n"
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n{}",
        reproducer.slurm, topology_param(reproducer.options),
        has_gpus(reproducer) ? "GresTypes=gpu\n" : "");
    for (const NodeKind& kind : reproducer.kinds)
        text +=
            fmt::format("NodeName={} CPUs={} RealMemory={}{} Weight={}\n",
                        replaced_names(kind.nodes), kind.cpus, kind.memory,
                        kind.gpus == 0 ? "" : fmt::format(" Gres=gpu:{}", kind.gpus), kind.weight);
    return text + fmt::format(
                      "PartitionName=all Nodes=ALL MaxTime=INFINITE\n"
                      "PartitionName=job Nodes={} Default=YES MaxTime=INFINITE\n",
                      replaced_names(reproducer.candidates));
}

std::string gres_conf(const Reproducer& reproducer) {
    std::string text;
    for (const NodeKind& kind : reproducer.kinds)
        if (kind.gpus != 0)
            text += fmt::format("NodeName={} Name=gpu Count={}\n", replaced_names(kind.nodes),
                                kind.gpus);
    return text;
}

/// Of all nodes, so that plan knows those that lie in no block.
std::string weights(const Reproducer& reproducer) {
    std::string text;
    for (const NodeKind& kind : reproducer.kinds)
        text += fmt::format("{} {}\n", replaced_names(kind.nodes), kind.weight);
    return text;
}

/// What sbatch and plan call the same.
std::string job_options(const Reproducer& reproducer) {
    std::string text;
    if (reproducer.min_nodes != 0) text = fmt::format("--nodes={}", reproducer.min_nodes);
    if (reproducer.max_nodes > reproducer.min_nodes)
        text += fmt::format("-{}", reproducer.max_nodes);
    if (reproducer.segment != 0) text += fmt::format(" --segment={}", reproducer.segment);
    if (!reproducer.required.empty()) text += " --nodelist=" + replaced_names(reproducer.required);
    if (reproducer.spread_segments) text += " --spread-segments";
    if (reproducer.consolidate_segments) text += " --consolidate-segments";
    return text;
}

std::string sbatch_command(const Reproducer& reproducer) {
    std::string text = "sbatch " + job_options(reproducer);
    if (reproducer.whole_blocks)
        text += " --exclusive=topo";
    else if (reproducer.whole_nodes)
        text += " --exclusive";
    if (reproducer.switches != 0) text += fmt::format(" --switches={}", reproducer.switches);
    for (const std::string& option : reproducer.sbatch) text += " " + option;
    return text + " --wrap='sleep 600'\n";
}

std::string policy_name(Policy policy) {
    for (const NamedValue<Policy>& each : policy_values)
        if (each.value == policy) return std::string(each.name);
    return {};
}

std::string plan_command(const Reproducer& reproducer) {
    std::string text =
        "nvl72block plan --topology topology.conf --weights weights " + job_options(reproducer);
    // As slurmctld has them: which base blocks are closed to --exclusive=topo is in the candidates.
    const NodeSet busy = busy_nodes(reproducer);
    const NodeSet excluded = without(reproducer.idle, reproducer.candidates);
    if (!busy.empty()) text += " --drained=" + replaced_names(busy);
    if (!excluded.empty()) text += " --exclude=" + replaced_names(excluded);
    if (reproducer.whole_blocks) text += " --exclusive-topo";
    if (reproducer.switches != 0 && reproducer.within_switches)
        text += fmt::format(" --max-blocks={}", reproducer.switches);
    const Options& options = reproducer.options;
    text += fmt::format(" --policy={}", policy_name(options.policy));
    if (options.policy == Policy::demand) text += fmt::format(" --demand={}", options.demand);
    if (options.aggregation == Aggregation::name) text += " --aggregate=name";
    return text + "\n";
}

std::string commands(const Reproducer& reproducer) {
    std::string text;
    const NodeSet busy = busy_nodes(reproducer);
    if (!busy.empty())
        text += fmt::format("scontrol update NodeName={} State=DRAIN Reason=busy\n",
                            replaced_names(busy));
    for (const SharedNode& each : reproducer.shared) {
        NodeSet node(reproducer.nodes);
        node.set(each.node);
        text += fmt::format(
            "sbatch --partition=all --nodelist={} --ntasks=1 --cpus-per-task={} --mem={}{} "
            "--wrap='sleep 6000'\n",
            replaced_names(node), std::max(each.cpus, 1U), std::max<std::uint64_t>(each.memory, 1),
            each.gpus == 0 ? "" : fmt::format(" --gres=gpu:{}", each.gpus));
    }
    text += sbatch_command(reproducer);
    return can_be_planned(reproducer) ? text + plan_command(reproducer) : text;
}

}  // namespace

std::string replaced_names(const NodeSet& nodes) {
    std::vector<std::string> names;
    nodes.for_each([&](NodeIndex node) { names.push_back(fmt::format("n{:05}", node + 1)); });
    return compress_hostlist(names);
}

NodeSet all_nodes(std::size_t count) {
    NodeSet nodes(count);
    for (NodeIndex node = 0; node < count; ++node) nodes.set(node);
    return nodes;
}

bool can_be_planned(const Reproducer& reproducer) {
    return reproducer.min_nodes != 0 && (reproducer.whole_nodes || reproducer.whole_blocks);
}

std::string to_text(const Reproducer& reproducer) {
    std::string text = fmt::format("--- topology.conf\n{}--- slurm.conf\n{}",
                                   topology_conf(reproducer), slurm_conf(reproducer));
    if (has_gpus(reproducer)) text += "--- gres.conf\n" + gres_conf(reproducer);
    text += fmt::format("--- weights\n{}--- commands\n{}--- answers\n", weights(reproducer),
                        commands(reproducer));
    for (const auto& [who, answer] : reproducer.answers)
        text += fmt::format("{} {}\n", who, answer);
    return text;
}

}  // namespace nvl72block::cli
