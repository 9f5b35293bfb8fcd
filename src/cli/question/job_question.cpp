// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/job_question.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input/input_error.hpp"
#include "cli/question/blocks_in_use.hpp"
#include "cli/question/node_list.hpp"
#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

const PartitionRecord& shown_partition(const ClusterState& state, const JobRecord& job,
                                       std::vector<std::string>& remarks) {
    const PartitionRecord* partition = partition_of(state, job);
    if (partition == nullptr)
        throw InputError(fmt::format("job {}", job.label()),
                         fmt::format("its partition {} is not shown", excerpt(job.partition)),
                         "ask as a user who may see it");
    if (partition->name != job.partition)
        remarks.push_back(fmt::format("it may run in partitions {}; the numbers are those of {}",
                                      job.partition, partition->name));
    return *partition;
}

Request request_of(const ClusterState& state, const JobRecord& job,
                   const PartitionRecord& partition, std::uint32_t segment_size) {
    Request request;
    request.min_nodes = std::max(job.min_nodes, 1U);
    request.max_nodes = std::max(job.max_nodes, request.min_nodes);
    request.segment_size = segment_size != 0 ? segment_size : job.segment_size;
    request.spread_segments = job.spread_segments;
    request.consolidate_segments = job.consolidate_segments;
    request.exclusive = has_whole_blocks(job, partition);
    request.cpus = job.cpus;
    request.gpus = job.gpus;
    request.policy = state.options.policy;
    if (job.max_nodes == 0 && job.state == JobState::pending) {
        request.sized_by_capacity = true;
        request.max_nodes =
            std::max(request.min_nodes, static_cast<std::uint32_t>(state.nodes.size()));
    }
    return request;
}

bool is_large_enough(const JobRecord& job, const NodeRecord& node) {
    return node.cpus >= job.min_cpus_node && node.memory >= job.min_memory_node &&
           node.gpus >= job.gpus_per_node;
}

/// CPUs that the job needs on a node, as far as that can be told.
std::uint64_t cpus_per_node(const JobRecord& job) {
    return std::max<std::uint64_t>(job.min_cpus_node, job.cpus / std::max(job.min_nodes, 1U));
}

bool shares(const JobRecord& job, const NodeRecord& node) {
    return node.base == NodeBase::mixed && in_service(node) && !node.has(flag_completing) &&
           !node.has(flag_blocked) && node.cpus >= node.allocated_cpus + cpus_per_node(job) &&
           node.gpus >= node.allocated_gpus + job.gpus_per_node &&
           node.memory >= node.allocated_memory + job.min_memory_node;
}

void choose_nodes(const ClusterState& state, JobQuestion& question) {
    const JobRecord& job = *question.job;
    const bool alone = has_whole_nodes(job, *question.viewer.partition);
    const NodeList list = node_list(job.required, question.request.min_nodes);
    question.required = list.required;
    bool understood = true;
    question.viewer.partition->nodes.for_each([&](NodeIndex index) {
        const NodeRecord& node = state.nodes[index];
        const std::optional<bool> meets = meets_constraint(node.active_features, job.features);
        understood &= meets.has_value();
        if (job.excluded.test(index) || list.excluded.test(index) || !meets.value_or(true) ||
            !is_large_enough(job, node)) {
            question.excluded.set(index);
            return;
        }
        question.suitable.set(index);
        if (!alone && shares(job, node)) question.shareable.set(index);
    });
    if (!understood)
        question.remarks.push_back(
            fmt::format("its --constraint={} is not considered", excerpt(job.features)));
    if (!question.shareable.empty())
        question.remarks.emplace_back(
            "it shares nodes: of nodes in use, only the free CPUs, GPUs and memory are counted");
    if (job.contiguous) question.remarks.emplace_back("its --contiguous is not considered");
}

}  // namespace

JobQuestion job_question(const ClusterState& state, const JobRecord& job,
                         std::uint32_t segment_size) {
    const std::size_t count = state.nodes.size();
    JobQuestion question;
    question.job = &job;
    question.viewer.partition = &shown_partition(state, job, question.remarks);
    question.viewer.reservation = job.reservation;
    question.viewer.duration = job.time_limit;
    if (!question.viewer.duration)
        question.viewer.duration = default_duration(*question.viewer.partition);
    question.request = request_of(state, job, *question.viewer.partition, segment_size);
    question.suitable = question.excluded = question.shareable = NodeSet(count);
    choose_nodes(state, question);
    for (const NodeRecord& node : state.nodes) {
        question.weight.push_back(node.weight);
        question.cpus.push_back(node.cpus);
    }
    question.shareable.for_each(
        [&](NodeIndex node) { question.cpus[node] -= state.nodes[node].allocated_cpus; });
    return question;
}

NodeSet usable_now(const ClusterState& state, const JobQuestion& question, const Viewer& viewer) {
    NodeSet usable = availability(state, viewer).free;
    NodeSet shared = question.shareable;
    shared.subtract(reserved_nodes(state, viewer, state.now));
    const NodeSet visible = visible_nodes(state, viewer);
    question.shareable.for_each([&](NodeIndex node) {
        if (!visible.test(node)) shared.reset(node);
    });
    usable.unite(shared);
    usable.subtract(question.excluded);
    if (question.request.exclusive)
        close_blocks(state.topology(), foreign_nodes(state, viewer), usable);
    return usable;
}

Answer ask(const ClusterState& state, const JobQuestion& question, const Request& request,
           NodeSetView usable, NodeSetView drained) {
    Request complete = request;
    if (!question.required.empty()) complete.required = question.required;
    std::vector<std::uint32_t> gpus;
    if (complete.gpus > 0)
        for (const NodeRecord& node : state.nodes)
            gpus.push_back(node.gpus - std::min(node.gpus, node.allocated_gpus));
    State offer;
    offer.usable = usable;
    offer.weight = question.weight;
    if (complete.cpus > 0) offer.cpus = question.cpus;
    if (complete.gpus > 0) offer.gpus = gpus;
    offer.drained = drained;
    offer.excluded = question.excluded;
    return place(state.topology(), complete, offer);
}

bool fits(const ClusterState& state, const JobQuestion& question, const Request& request,
          NodeSetView usable) {
    return std::holds_alternative<Placement>(ask(state, question, request, usable, {}));
}

}  // namespace nvl72block::cli
