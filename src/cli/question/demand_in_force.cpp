// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/demand_in_force.hpp"

#include <fmt/format.h>

#include "cli/question/partition_rules.hpp"
#include "nvl72block/learned_demand.hpp"

namespace nvl72block::cli {
namespace {

/// As QueueJob has it.
QueueJob::State queue_state(JobState state) {
    if (state == JobState::pending) return QueueJob::State::waiting;
    const bool runs = state == JobState::running || state == JobState::suspended;
    return runs ? QueueJob::State::running : QueueJob::State::other;
}

QueueJob queue_job(const ClusterState& state, const JobRecord& job) {
    const PartitionRecord* partition = partition_of(state, job);
    const bool waits = job.state == JobState::pending;
    QueueJob asked{.state = queue_state(job.state),
                   .priority = job.priority,
                   .begin = job.eligible.value_or(0),
                   .reach = waits ? NodeSetView() : job.nodes.view(),
                   .nodes = waits ? job.min_nodes : job.nodes.count(),
                   .segment_size = job.segment_size,
                   .cpus = job.cpus,
                   .whole_nodes = job.exclusive_node,
                   .array_tasks = job.tasks_of_array()};
    if (partition == nullptr) return asked;
    if (waits) asked.reach = partition->nodes;
    asked.whole_nodes = has_whole_nodes(job, *partition);
    return asked;
}

void count_queue(const ClusterState& state, LearnedDemand& learned) {
    const std::optional<NodeIndex> node = LearnedDemand::measuring_node(state.topology());
    const double cpus = node ? state.nodes[*node].cpus : 0;
    for (const JobRecord& job : state.jobs)
        learned.observe(state.topology(), cpus, queue_job(state, job));
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
