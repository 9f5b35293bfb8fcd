// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/shadow/shadow_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/input/input_error.hpp"
#include "nvl72block/hostlist.hpp"
#include "nvl72block/options.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

std::string node_list(const NodeSet& nodes) {
    std::vector<std::string> names;
    nodes.for_each([&](NodeIndex node) { names.push_back(fmt::format("n{:05}", node + 1)); });
    return compress_hostlist(names);
}

NodeSet without(NodeSet nodes, const NodeSet& others) {
    nodes.subtract(others);
    return nodes;
}

NodeSet all_nodes(const ShadowTopology& topology) {
    NodeSet nodes(topology.nodes);
    for (NodeIndex node = 0; node < topology.nodes; ++node) nodes.set(node);
    return nodes;
}

Options options_of(const ShadowDecision& decision) {
    std::vector<std::string> findings;
    return parse_options(decision.topology->options, findings);
}

/// As they were for this decision: with the demand that had been learned, and without shadow mode.
std::string topology_param(const ShadowDecision& decision) {
    Options options = options_of(decision);
    options.shadow = Shadow::off;
    options.demand = decision.record.text("demand");
    std::string text = to_string(options);
    std::replace(text.begin(), text.end(), ' ', ',');
    return text;
}

std::string policy_name(const ShadowDecision& decision) {
    const Policy policy = options_of(decision).policy;
    for (const NamedValue<Policy>& each : policy_values)
        if (each.value == policy) return std::string(each.name);
    return {};
}

std::string topology_conf(const ShadowTopology& topology) {
    std::string text;
    for (std::size_t block = 0; block < topology.blocks.size(); ++block)
        text += fmt::format("BlockName=rack{:03} Nodes={}\n", block + 1,
                            node_list(topology.blocks[block]));
    return text + fmt::format("BlockSizes={}\n", topology.sizes);
}

/// A node of a weight has what Slurm calls its Weight; those that are not listed have 1.
std::vector<std::pair<std::uint64_t, NodeSet>> weights_of(const ShadowDecision& decision) {
    std::vector<std::pair<std::uint64_t, NodeSet>> weights;
    std::string_view rest = decision.record.text("weights");
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view group = rest.substr(0, end);
        const std::size_t colon = std::min(group.find(':'), group.size());
        const auto weight = number_of<std::uint64_t>(group.substr(0, colon));
        const auto nodes = parse_node_ranges(group.substr(std::min(colon + 1, group.size())),
                                             decision.topology->nodes);
        if (!weight || !nodes) break;
        weights.emplace_back(*weight, *nodes);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return weights;
}

std::string slurm_conf(const ShadowDecision& decision) {
    const ShadowTopology& topology = *decision.topology;
    std::string text = fmt::format(
        "# Slurm {}; ports, paths and users as your cluster or lab has them\n"
        "TopologyPlugin=topology/block   # then topology/nvl72block\n"
        "TopologyParam={}\n"
        "SelectType=select/cons_tres\nGresTypes=gpu\n",
        topology.slurm, topology_param(decision));
    text += "NodeName=DEFAULT CPUs=72 Gres=gpu:4 RealMemory=900000\n";
    NodeSet plain = all_nodes(topology);
    for (const auto& [weight, nodes] : weights_of(decision)) {
        text += fmt::format("NodeName={} Weight={}\n", node_list(nodes), weight);
        plain.subtract(nodes);
    }
    if (!plain.empty()) text += fmt::format("NodeName={}\n", node_list(plain));
    return text + fmt::format(
                      "PartitionName=all Nodes=ALL MaxTime=INFINITE\n"
                      "PartitionName=job Nodes={} Default=YES MaxTime=INFINITE\n",
                      node_list(decision.candidates));
}

std::string count_text(const ShadowRecord& record) {
    const std::string least(record.text("min"));
    const std::string most(record.text("max"));
    const bool range = record.number("req").value_or(0) > record.number("min").value_or(0);
    return range && least != most ? least + "-" + most : least;
}

std::string job_options(const ShadowDecision& decision) {
    const ShadowRecord& record = decision.record;
    std::string text = "--nodes=" + count_text(record);
    if (const auto segment = record.number("segment"))
        text += fmt::format(" --segment={}", *segment);
    if (const auto required = record.nodes("required", decision.topology->nodes);
        required && !required->empty())
        text += " --nodelist=" + node_list(*required);
    if (record.number("spread")) text += " --spread-segments";
    if (record.number("consolidate")) text += " --consolidate-segments";
    return text;
}

std::string sbatch_options(const ShadowDecision& decision) {
    const ShadowRecord& record = decision.record;
    std::string text = job_options(decision);
    text += record.number("exclusive") == 2 ? " --exclusive=topo" : " --exclusive";
    if (const auto tasks = record.number("tasks")) text += fmt::format(" --ntasks={}", *tasks);
    if (const auto tasks = record.number("tasks.node"))
        text += fmt::format(" --ntasks-per-node={}", *tasks);
    if (const auto cpus = record.number("cpus.task"); cpus && *cpus > 1)
        text += fmt::format(" --cpus-per-task={}", *cpus);
    if (const auto switches = record.number("switches"))
        text += fmt::format(" --switches={}", *switches);
    return text;
}

std::string plan_options(const ShadowDecision& decision) {
    const NodeSet all = all_nodes(*decision.topology);
    std::string text = job_options(decision);
    const NodeSet busy = without(all, decision.idle);
    const NodeSet excluded = without(decision.idle, decision.candidates);
    if (!busy.empty()) text += " --busy=" + node_list(busy);
    if (!excluded.empty()) text += " --exclude=" + node_list(excluded);
    if (decision.record.number("exclusive") == 2) text += " --exclusive=topo";
    if (const auto switches = decision.record.number("switches"))
        text += fmt::format(" --max-blocks={}", *switches);
    text += fmt::format(" --policy={}", policy_name(decision));
    if (decision.record.text("demand") != "off" && policy_name(decision) == "demand")
        text += fmt::format(" --demand={}", decision.record.text("demand"));
    return text;
}

std::string commands(const ShadowDecision& decision) {
    std::string text;
    const NodeSet busy = without(all_nodes(*decision.topology), decision.idle);
    if (!busy.empty())
        text +=
            fmt::format("scontrol update NodeName={} State=DRAIN Reason=busy\n", node_list(busy));
    return text + fmt::format(
                      "sbatch {} --wrap='sleep 600'\n"
                      "nvl72block plan --topology topology.conf {}\n",
                      sbatch_options(decision), plan_options(decision));
}

std::string answer(const std::optional<NodeSet>& nodes, std::string_view otherwise) {
    return nodes ? node_list(*nodes) : std::string(otherwise);
}

}  // namespace

std::string shadow_export(const ShadowDecision& decision) {
    if (decision.record.number("whole") != 1U || !decision.record.number("exclusive"))
        throw InputError("--export",
                         "the job shares its nodes with others: what each of them offered is not "
                         "in the record",
                         "choose the decision of a job that got whole nodes");
    return fmt::format(
        "--- topology.conf\n{}--- slurm.conf\n{}--- commands\n{}--- answers\n"
        "topology/block {}\nnvl72block {}\n",
        topology_conf(*decision.topology), slurm_conf(decision), commands(decision),
        answer(decision.block, "holds the job"), answer(decision.ours, "holds the job"));
}

}  // namespace nvl72block::cli
