// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/job_question.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input/input_error.hpp"
#include "cli/question/left_out.hpp"
#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

const PartitionRecord& shown_partition(const ClusterState& state, const JobRecord& job) {
    const PartitionRecord* partition = partition_of(state, job);
    if (partition == nullptr)
        throw InputError(fmt::format("job {}", job.label()),
                         fmt::format("its partition {} is not shown", excerpt(job.partition)),
                         "ask as a user who may see it");
    return *partition;
}

Request request_in(const ClusterState& state, const JobRecord& job,
                   const PartitionRecord& partition, std::uint32_t segment_size) {
    Request request = request_of(job);
    if (segment_size != 0) request.segment_size = segment_size;
    request.exclusive = has_whole_blocks(job, partition);
    request.policy = state.options.policy;
    // Without --nodes, or with a maximum that Slurm has made from the tasks.
    const bool by_tasks =
        job.max_nodes == 0 || (job.min_nodes == 1 && job.max_nodes == job.tasks && job.tasks > 1);
    if (job.state != JobState::pending) return request;
    if (by_tasks && job.max_nodes == 0) {
        request.min_nodes = std::max(request.min_nodes, partition.min_nodes);
        request.max_nodes =
            std::max(request.min_nodes,
                     partition.max_nodes.value_or(static_cast<std::uint32_t>(state.nodes.size())));
    } else if (request.max_nodes >= partition.min_nodes) {  // of a range slurmctld does so, too
        request.min_nodes = std::max(request.min_nodes, partition.min_nodes);
    }
    // Of a range the fewest nodes that hold all GPUs.
    request.sized_by_totals = by_tasks || (job.gpus > 0 && request.max_nodes > request.min_nodes);
    return request;
}

/// Nodes with GPUs of several types are not told apart.
bool has_type(const JobRecord& job, const NodeRecord& node) {
    return job.gpu_type.empty() || node.gpu_types == job.gpu_type ||
           node.gpu_types.find(',') != std::string::npos ||
           job.gpu_type.find(',') != std::string::npos;
}

/// Of a partition with MaxCPUsPerNode=, no job gets more of a node: nor a larger one as a whole.
bool has_size(const JobQuestion& question, const NodeRecord& node) {
    const JobRecord& job = *question.job;
    const std::uint32_t most = question.viewer.partition->max_cpus_per_node;
    return node.cpus >= job.min_cpus_node && node.memory >= job.min_memory_node &&
           node.gpus >= job.gpus_per_node && (most == 0 || node.cpus <= most || question.shares());
}

/// CPUs that the job can have where so much is left, in whole tasks; 0: it cannot use the node.
std::uint32_t usable_cpus(const JobQuestion& question, const Occupancy::Rest& rest) {
    const JobRecord& job = *question.job;
    std::uint64_t cpus = rest.cpus;
    if (job.memory_per_cpu > 0) cpus = std::min(cpus, rest.memory / job.memory_per_cpu);
    // A whole node's CPUs are all allocated, and memory for each of them.
    if (cpus < rest.cpus && !question.shares()) return 0;
    cpus -= cpus % job.cpus_per_task;
    const std::uint64_t least = std::max<std::uint64_t>(
        job.min_cpus_node, std::uint64_t{job.cpus_per_task} * std::max(job.tasks_per_node, 1U));
    if (cpus < least || rest.memory < job.min_memory_node || rest.gpus < job.gpus_per_node)
        return 0;
    return static_cast<std::uint32_t>(cpus);
}

/// When it has to start at the latest; nullopt: without --deadline.
std::optional<SlurmTime> latest_start(const JobQuestion& question) {
    const JobRecord& job = *question.job;
    const auto least = job.time_min ? job.time_min : question.viewer.duration;
    return job.deadline ? std::optional(*job.deadline - least.value_or(0)) : std::nullopt;
}

/// A --nodelist longer than the node count names the only nodes that the job may have; any other
/// one names nodes that it must have.
void choose_nodes(const ClusterState& state, JobQuestion& question) {
    const JobRecord& job = *question.job;
    const bool only_these = job.required.count() > question.request.min_nodes;
    question.required = only_these ? NodeSet(job.required.size()) : job.required;
    bool understood = true, one_type = job.gpu_type.find(',') == std::string::npos;
    question.viewer.partition->nodes.for_each([&](NodeIndex index) {
        const NodeRecord& node = state.nodes[index];
        const std::optional<bool> meets = meets_constraint(node.active_features, job.features);
        understood &= meets.has_value();
        one_type &= job.gpu_type.empty() || node.gpu_types.find(',') == std::string::npos;
        if (job.excluded.test(index) || (only_these && !job.required.test(index)) ||
            !meets.value_or(true) || !has_size(question, node) || !has_type(job, node))
            question.excluded.set(index);
        else
            question.suitable.set(index);
    });
    if (!understood) question.not_considered.push_back("--constraint=" + excerpt(job.features));
    if (!one_type) question.not_considered.emplace_back("types of GPUs");
}

}  // namespace

bool JobQuestion::shares() const {
    return !has_whole_nodes(*job, *viewer.partition);
}

Request request_of(const JobRecord& job) {
    Request request;
    request.min_nodes = std::max(job.min_nodes, 1U);
    request.max_nodes = std::max(job.max_nodes, request.min_nodes);
    request.segment_size = job.segment_size;
    request.spread_segments = job.spread_segments;
    request.consolidate_segments = job.consolidate_segments;
    request.exclusive = job.exclusive_topo;
    request.cpus = job.cpus;
    request.gpus = job.gpus;
    return request;
}

bool is_too_late(const JobQuestion& question, SlurmTime start) {
    return start > latest_start(question).value_or(start);
}

JobQuestion job_question(const ClusterState& state, const JobRecord& job,
                         std::uint32_t segment_size, const PartitionRecord* partition) {
    const std::size_t count = state.nodes.size();
    JobQuestion question;
    question.job = &job;
    question.viewer.partition = partition != nullptr ? partition : &shown_partition(state, job);
    if (question.viewer.partition->name != job.partition)
        question.remarks.push_back(
            fmt::format("it may run in partitions {}; the numbers are those of {}", job.partition,
                        question.viewer.partition->name));
    question.viewer.reservation = job.reservation.substr(0, job.reservation.find(','));
    if (question.viewer.reservation != job.reservation)
        question.remarks.push_back(
            fmt::format("it may run in reservations {}; the numbers are those of {}",
                        job.reservation, question.viewer.reservation));
    if (job.id != 0 && !question.viewer.partition->up)
        question.remarks.push_back(state_remark(*question.viewer.partition));
    question.viewer.duration = shortest_run(job, *question.viewer.partition);
    if (const auto latest = latest_start(question); latest && job.state == JobState::pending)
        question.remarks.push_back(
            fmt::format("its deadline is {}: Slurm cancels it if it has not started by {}",
                        short_time(*job.deadline, state.now), short_time(*latest, state.now)));
    question.request = request_in(state, job, *question.viewer.partition, segment_size);
    question.suitable = question.excluded = NodeSet(count);
    choose_nodes(state, question);
    name_left_out_rules(state, question);
    if (question.shares())
        question.remarks.emplace_back(
            "it shares nodes: of nodes in use, only the free CPUs, GPUs and memory are counted");
    for (const NodeRecord& node : state.nodes) question.weight.push_back(scheduling_weight(node));
    return question;
}

Offer offer_at(const ClusterState& state, const Occupancy& occupancy, const JobQuestion& question,
               const Viewer& viewer, SlurmTime time) {
    const NodeSet visible = visible_nodes(state, viewer);
    const NodeSet reserved = reserved_nodes(state, viewer, time);
    const std::size_t count = state.nodes.size();
    Offer offer{NodeSet(count), std::vector<std::uint32_t>(count),
                std::vector<std::uint32_t>(count)};
    question.suitable.for_each([&](NodeIndex node) {
        const bool used = occupancy.is_used(node, time);
        if (!in_service(state.nodes[node]) || !visible.test(node) || reserved.test(node) ||
            occupancy.is_blocked(node, time) || (used && !question.shares()) ||
            (time <= state.now && state.nodes[node].has(flag_completing)) ||
            occupancy.is_kept_by_another_user(node, time, *question.job))
            return;
        const Occupancy::Rest rest = occupancy.rest(node, time);
        offer.cpus[node] = usable_cpus(question, rest);
        offer.gpus[node] = rest.gpus;
        if (offer.cpus[node] > 0) offer.usable.set(node);
    });
    if (!question.request.exclusive) return offer;
    NodeSet foreign = reserved;
    for (NodeIndex node = 0; node < count; ++node)
        if (occupancy.is_used(node, time) || occupancy.is_blocked(node, time)) foreign.set(node);
    offer.usable.subtract(whole_blocks(state.topology(), foreign));
    return offer;
}

Offer with_idle(const ClusterState& state, const JobQuestion& question, Offer offer,
                const NodeSet& nodes) {
    nodes.for_each([&](NodeIndex node) {
        if (!question.suitable.test(node)) return;
        const NodeRecord& record = state.nodes[node];
        offer.cpus[node] = usable_cpus(question, {record.cpus, record.gpus, record.memory});
        offer.gpus[node] = record.gpus;
        if (offer.cpus[node] > 0) offer.usable.set(node);
    });
    return offer;
}

Request complete(const JobQuestion& question, Request request) {
    if (!question.required.empty()) request.required = question.required;
    return request;
}

State state_of(const JobQuestion& question, const Offer& offer, NodeSetView drained) {
    State nodes;
    nodes.usable = offer.usable;
    nodes.weight = question.weight;
    if (question.request.cpus > 0) nodes.cpus = offer.cpus;
    if (question.request.gpus > 0) nodes.gpus = offer.gpus;
    nodes.drained = drained;
    nodes.excluded = question.excluded;
    if (question.idle.size() > 0) nodes.idle = question.idle;
    return nodes;
}

Answer ask(const ClusterState& state, const JobQuestion& question, const Request& request,
           const Offer& offer, NodeSetView drained) {
    return place(state.topology(), complete(question, request), state_of(question, offer, drained));
}

bool fits(const ClusterState& state, const JobQuestion& question, const Request& request,
          const Offer& offer) {
    return std::holds_alternative<Placement>(ask(state, question, request, offer));
}

}  // namespace nvl72block::cli
