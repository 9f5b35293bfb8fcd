// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/demand_in_force.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/question/partition_rules.hpp"
#include "nvl72block/learned_demand.hpp"

namespace nvl72block::cli {
namespace {

/// By how many CPUs of a node jobs are measured that share nodes: those of the first in a block.
std::uint32_t cpus_of_a_node(const ClusterState& state) {
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (state.topology().block_of(node) != no_block) return state.nodes[node].cpus;
    return 0;
}

bool touches_blocks(const ClusterState& state, const NodeSet& nodes) {
    bool touches = false;
    nodes.for_each([&](NodeIndex node) { touches |= state.topology().block_of(node) != no_block; });
    return touches;
}

/// Whether the job has nodes in blocks, or waits for nothing but such nodes.
bool counts(const ClusterState& state, const JobRecord& job) {
    if (job.state == JobState::running || job.state == JobState::suspended)
        return touches_blocks(state, job.nodes);
    const PartitionRecord* partition = partition_of(state, job);
    return job.state == JobState::pending && job.priority > 0 && partition != nullptr &&
           job.eligible.value_or(state.now) <= state.now && touches_blocks(state, partition->nodes);
}

/// Nodes that the job asks for; of one that shares nodes as many as its CPUs fill.
double amount_of(const ClusterState& state, const JobRecord& job, std::uint32_t nodes) {
    const PartitionRecord* partition = partition_of(state, job);
    const bool alone = has_whole_nodes(job, partition != nullptr ? *partition : PartitionRecord());
    const std::uint32_t cpus = cpus_of_a_node(state);
    const bool whole = alone || job.cpus == 0 || cpus == 0;
    const double each =
        whole ? nodes : std::min<double>(nodes, static_cast<double>(job.cpus) / cpus);
    const std::uint32_t tasks = job.state == JobState::pending ? job.tasks_of_array() : 1;
    return std::min(each * tasks, static_cast<double>(state.topology().node_count()));
}

void count_queue(const ClusterState& state, LearnedDemand& learned) {
    for (const JobRecord& job : state.jobs) {
        if (!counts(state, job)) continue;
        const bool waits = job.state == JobState::pending;
        const std::uint32_t nodes =
            waits ? job.min_nodes : static_cast<std::uint32_t>(job.nodes.count());
        if (nodes == 0) continue;
        const std::uint32_t slot = job.segment_size > 0 ? std::min(job.segment_size, nodes) : nodes;
        learned.observe(slot, amount_of(state, job, nodes));
    }
}

DemandInForce learned_demand(const ClusterState& state) {
    LearnedDemand learned;
    std::string error;
    const bool history =
        !state.demand_file.empty() && learned.restore(state.demand_file, state.now, error);
    learned.begin(state.now);
    // Without sizes of segments, jobs would count by their node counts.
    if (state.shows_segments) count_queue(state, learned);
    learned.finish(LearnedDemand::Ground::of(state.topology()));
    const char* source = nullptr;
    if (history)
        source = state.shows_segments ? "learned: the queue, and the history that slurmctld keeps"
                                      : "learned: the history that slurmctld keeps";
    else
        source =
            state.shows_segments
                ? "learned: the queue alone; SlurmUser on slurmctld's host can read the history"
                : "the sizes of the blocks; SlurmUser on slurmctld's host can read what was "
                  "learned";
    return {learned.demand(), source};
}

}  // namespace

std::optional<DemandInForce> demand_in_force(const ClusterState& state) {
    if (state.options.policy != Policy::demand) return std::nullopt;
    const std::string& stated = state.options.demand;
    if (stated == "auto") return learned_demand(state);
    std::string error;
    return DemandInForce{
        stated == "off" ? Demand() : Demand::parse(stated, error).value_or(Demand()),
        "stated by Nvl72Demand"};
}

std::string to_string(const DemandInForce& known) {
    return fmt::format("{} ({})", to_string(known.demand), known.source);
}

}  // namespace nvl72block::cli
