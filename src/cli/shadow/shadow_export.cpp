// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/shadow/shadow_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/input/input_error.hpp"
#include "cli/reproducer/reproducer.hpp"
#include "text/number.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::uint32_t tray_cpus = 72;
constexpr std::uint64_t tray_memory = 900000;
constexpr std::uint64_t most_weight = std::uint64_t{1} << 31;  // less than Slurm's limit

std::uint32_t number(const ShadowRecord& record, const char* key) {
    return static_cast<std::uint32_t>(record.number(key).value_or(0));
}

[[noreturn]] void refuse(const char* why) {
    throw InputError("--export", why, "choose the decision of a job that got whole nodes");
}

/// Slurm likes the maximum of -Nmin-max, and tells so.
bool is_range(const ShadowRecord& record) {
    return number(record, "req") > number(record, "min");
}

/// The most nodes that the job can have. More nodes than tasks are no use.
std::uint32_t most_nodes(const ShadowRecord& record) {
    const std::uint32_t tasks = number(record, "tasks");
    const std::uint32_t most = number(record, "max");
    return tasks == 0 || number(record, "tasks.node") != 0
               ? most
               : std::min(most, std::max(tasks, number(record, "min")));
}

void check_exportable(const ShadowRecord& record) {
    if (record.number("whole") != 1U || !record.number("exclusive"))
        refuse(
            "the job shares its nodes with others: what each of them offered is not in the record");
    if (most_nodes(record) > number(record, "min") &&
        (!is_range(record) || !record.text("tres.job").empty()))
        refuse(
            "the number of nodes was left to CPUs or GPUs: what each node has is not in the "
            "record");
}

/// As they were for this decision, with the demand that had been learned.
Options options_of(const ShadowDecision& decision) {
    std::vector<std::string> findings;
    Options options = parse_options(decision.topology->options, findings);
    options.demand = decision.record.text("demand");
    if (options.demand.empty()) options.demand = "off";
    return options;
}

/// CPUs enough for the job's tasks: of the nodes only their weights are recorded.
NodeKind kind_of(const ShadowRecord& record, std::uint64_t weight, NodeSet nodes) {
    const std::uint32_t least = std::max(number(record, "min"), 1U);
    const std::uint32_t tasks = std::max(number(record, "tasks.node"), 1U);
    const std::uint32_t cpus =
        std::max({(number(record, "min.cpus") + least - 1) / least,
                  tasks * std::max(number(record, "cpus.task"), 1U), tray_cpus});
    return {cpus, 0, tray_memory, weight, std::move(nodes)};
}

using Weighted = std::vector<std::pair<std::uint64_t, NodeSet>>;

Weighted recorded_weights(const ShadowDecision& decision) {
    Weighted weights;
    std::string_view rest = decision.record.text("weights");
    while (!rest.empty()) {
        std::string_view group = take_item(rest, ';');
        const auto weight = number_of<std::uint64_t>(take_item(group, ':'));
        auto nodes = parse_node_ranges(group, decision.topology->nodes);
        if (!weight || !nodes) break;
        weights.emplace_back(*weight, *std::move(nodes));
    }
    return weights;
}

/// What slurmctld weighs nodes with is more than a Weight= may be: it has their power state on top.
/// The lightest becomes 1; where the others are still too heavy, only their order is kept.
void make_writable(Weighted& weights) {
    std::ranges::sort(weights, {}, &Weighted::value_type::first);
    if (weights.empty()) return;
    const std::uint64_t lightest = weights.front().first;
    const bool fits = weights.back().first - lightest < most_weight;
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i].first = fits ? weights[i].first - lightest + 1 : i + 1;
}

/// Nodes that are no candidates weigh nothing in the answer.
std::vector<NodeKind> kinds_of(const ShadowDecision& decision) {
    std::vector<NodeKind> kinds;
    NodeSet plain = all_nodes(decision.topology->nodes);
    Weighted weights = recorded_weights(decision);
    make_writable(weights);
    for (auto& [weight, nodes] : weights) {
        plain.subtract(nodes);
        kinds.push_back(kind_of(decision.record, weight, std::move(nodes)));
    }
    if (!plain.empty()) kinds.push_back(kind_of(decision.record, 1, std::move(plain)));
    return kinds;
}

std::vector<std::string> task_options(const ShadowRecord& record) {
    std::vector<std::string> options;
    for (const auto& [key, option] :
         {std::pair{"tasks", "--ntasks"}, std::pair{"tasks.node", "--ntasks-per-node"},
          std::pair{"cpus.task", "--cpus-per-task"}})
        if (const std::uint32_t count = number(record, key); count != 0)
            options.push_back(fmt::format("{}={}", option, count));
    return options;
}

void set_job(const ShadowDecision& decision, Reproducer& reproducer) {
    const ShadowRecord& record = decision.record;
    reproducer.min_nodes = number(record, "min");
    if (is_range(record)) reproducer.max_nodes = number(record, "max");
    reproducer.segment = number(record, "segment");
    reproducer.spread_segments = number(record, "spread") != 0;
    reproducer.consolidate_segments = number(record, "consolidate") != 0;
    reproducer.whole_nodes = true;
    reproducer.whole_blocks = number(record, "exclusive") == 2;
    reproducer.switches = number(record, "switches");
    reproducer.within_switches = decision.ours && decision.ours_use.racks <= reproducer.switches;
    reproducer.required = record.nodes("required", decision.topology->nodes).value_or(NodeSet());
    reproducer.sbatch = task_options(record);
}

std::string answer(const std::optional<NodeSet>& nodes) {
    return nodes ? replaced_names(*nodes) : "holds the job";
}

}  // namespace

std::string shadow_export(const ShadowDecision& decision) {
    check_exportable(decision.record);
    const ShadowTopology& topology = *decision.topology;
    Reproducer reproducer;
    reproducer.slurm = topology.slurm;
    reproducer.options = options_of(decision);
    reproducer.nodes = topology.nodes;
    reproducer.blocks = topology.blocks;
    reproducer.sizes = topology.sizes;
    reproducer.kinds = kinds_of(decision);
    reproducer.idle = decision.idle;
    reproducer.candidates = decision.candidates;
    set_job(decision, reproducer);
    reproducer.answers = {{"topology/block", answer(decision.block)},
                          {"nvl72block", answer(decision.ours)}};
    return to_text(reproducer);
}

}  // namespace nvl72block::cli
