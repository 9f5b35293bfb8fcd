// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/live_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"
#include "cli/question/queue_order.hpp"
#include "cli/why/forecast.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

NodeSet idle_nodes(const ClusterState& state) {
    NodeSet idle(state.nodes.size());
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (is_idle(state.nodes[node])) idle.set(node);
    return idle;
}

/// A job whose features no node of the partition has: sbatch refuses it.
std::optional<Refusal> refused_for_features(const ClusterState& state,
                                            const JobQuestion& question) {
    const JobRecord& job = *question.job;
    const PartitionRecord& partition = *question.viewer.partition;
    bool met = false;
    partition.nodes.for_each([&](NodeIndex node) {
        met |= meets_constraint(state.nodes[node].active_features, job.features).value_or(true);
    });
    if (met) return std::nullopt;
    Refusal refusal;
    refusal.reason = RefusalReason::bad_request;
    refusal.wanted_nodes = job.min_nodes;
    refusal.detail =
        fmt::format("no node of partition {} has the features {}", partition.name, job.features);
    return refusal;
}

std::vector<const PartitionRecord*> partitions_of(const ClusterState& state,
                                                  std::string_view names) {
    std::vector<const PartitionRecord*> partitions;
    do {
        const std::string_view name = names.substr(0, names.find(','));
        partitions.push_back(&state.partition(std::string(name)));
        names.remove_prefix(std::min(name.size() + 1, names.size()));
    } while (!names.empty());
    return partitions;
}

std::string planned_remark(const NodeSet& planned, const Placement& placement) {
    const std::uint32_t count = count_of_both(placement.nodes, planned);
    if (count == 0) return "";
    return fmt::format(
        "{} of the nodes {} planned for pending jobs: the job starts there only if "
        "it ends before they start",
        count, count == 1 ? "is" : "are");
}

}  // namespace

LivePlan::LivePlan(ClusterState state)
    : state_(std::move(state)), demand_(demand_in_force(state_)) {}

std::vector<std::string> LivePlan::remarks(const JobQuestion& question) const {
    const PartitionRecord& partition = *question.viewer.partition;
    std::vector<std::string> found = question.remarks;
    if (!question.not_considered.empty())
        found.push_back(fmt::format("not considered: {}; the answer may be too hopeful",
                                    fmt::join(question.not_considered, ", ")));
    if (!partition.up)
        found.push_back(fmt::format("partition {} is down: nothing starts in it", partition.name));
    const ReservationRecord* own = state_.find_reservation(question.viewer.reservation);
    if (own != nullptr && own->start > state_.now)
        found.push_back(fmt::format("reservation {} begins at {}", own->name,
                                    short_time(own->start, state_.now)));
    if (demand_ && state_.runs_nvl72block())
        found.push_back("slurmctld keeps slots for " + to_string(*demand_));
    if (!state_.runs_nvl72block())
        found.push_back(
            fmt::format("the cluster has TopologyPlugin={}, which may choose other nodes or none",
                        state_.topology_plugin));
    const auto jobs = std::ranges::count_if(
        jobs_in_line(state_), [&](const JobRecord* job) { return is_of(*job, partition); });
    if (jobs > 0)
        found.push_back(fmt::format(
            "{} in partition {}: Slurm may start them first, or keep nodes for them",
            jobs == 1 ? "1 job waits" : fmt::format("{} jobs wait", jobs), partition.name));
    return found;
}

LiveAnswer LivePlan::plan_in(const PartitionRecord& partition, const JobRecord& job,
                             const Wishes& wishes) const {
    JobQuestion question = job_question(state_, job, 0, &partition);
    const Availability nodes = availability(state_, question.viewer);
    const Occupancy occupancy(state_);
    add_wishes(wishes, demand_ ? demand_->demand.sizes() : std::span<const DemandSize>(),
               question.request);
    if (wishes.policy == Policy::demand) question.idle = idle_nodes(state_);
    LiveAnswer result{Refusal(), {}, remarks(question)};
    std::optional<Refusal> never = refused_by_partition(partition, job);
    if (!never) never = refused_for_features(state_, question);
    if (never) {
        result.answer = *std::move(never);
        return result;
    }
    result.answer =
        ask(state_, question, question.request,
            offer_at(state_, occupancy, question, question.viewer, state_.now), nodes.drained);
    if (const auto* placement = std::get_if<Placement>(&result.answer)) {
        const std::string remark = planned_remark(nodes.planned, *placement);
        if (!remark.empty()) result.remarks.push_back(remark);
    } else if (!std::get<Refusal>(result.answer).permanent) {
        result.start = forecast(state_, occupancy, question).start;
    }
    return result;
}

LiveAnswer LivePlan::plan(const JobRecord& job, const Wishes& wishes) const {
    if (!job.reservation.empty() && state_.find_reservation(job.reservation) == nullptr)
        throw InputError("--reservation", fmt::format("\"{}\" is unknown", job.reservation),
                         "write one that scontrol show reservations shows");
    std::optional<LiveAnswer> first;
    for (const PartitionRecord* partition : partitions_of(state_, job.partition)) {
        JobRecord there = job;
        there.partition = partition->name;
        LiveAnswer answer = plan_in(*partition, there, wishes);
        if (std::holds_alternative<Placement>(answer.answer)) return answer;
        if (!first) first = std::move(answer);
    }
    return *std::move(first);
}

LiveAnswer LivePlan::plan(const JobRequest& request, const LiveJobOptions& options) {
    JobRecord job = requested_job(request, state_.cluster.nodes);
    job.user = state_.user;
    job.partition = options.partition;
    job.time_limit = viewer_of(state_, options.partition, options.time).duration;
    job.reservation = options.reservation;
    job.features = options.constraint;
    LiveAnswer answer = plan(job, wishes_of(request));
    const PartitionRecord& partition = state_.partition(options.partition);
    if (!partition.exclusive_node)
        answer.remarks.push_back(
            fmt::format("jobs may share the nodes of partition {}; the answer is for whole nodes "
                        "(sbatch --exclusive)",
                        partition.name));
    if (const auto* placement = std::get_if<Placement>(&answer.answer))
        occupy(job, placement->nodes);
    return answer;
}

LiveAnswer LivePlan::plan(const JobRecord& job) const {
    return plan(job, {state_.options.policy, {}, 0});
}

void LivePlan::occupy(const JobRecord& job, const NodeSet& nodes) {
    const Topology& topology = state_.topology();
    nodes.for_each([&](NodeIndex index) {
        NodeRecord& node = state_.nodes[index];
        node.base = NodeBase::allocated;
        node.allocated_cpus = node.cpus;
        if (!has_whole_blocks(job, state_.partition(job.partition))) return;
        if (topology.block_of(index) == no_block) return;
        for (const NodeRange& range : topology.ranges(topology.block_of(index)))
            for (NodeIndex other = range.begin; other < range.end; ++other)
                if (!nodes.test(other)) state_.nodes[other].flags |= flag_blocked;
    });
}

}  // namespace nvl72block::cli
