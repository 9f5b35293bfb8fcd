// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/live_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/question/left_out.hpp"
#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"
#include "cli/question/queue_order.hpp"
#include "cli/why/diagnosis.hpp"
#include "text/plural.hpp"
#include "text/take_item.hpp"

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
    return refusal_of(
        job,
        fmt::format("no node of partition {} has the features {}", partition.name, job.features),
        false);
}

bool enforces_limits(const ClusterState& state) {
    return state.enforce_part_limits == "ANY" || state.enforce_part_limits == "ALL";
}

/// A job beyond the partition's limits; where sbatch refuses it, also one whose range begins below
/// MinNodes, which is raised otherwise.
std::optional<Refusal> beyond_limits(const ClusterState& state, const PartitionRecord& partition,
                                     const JobRecord& job) {
    auto refusal = refused_by_partition(partition, job);
    if (refusal || !enforces_limits(state) || job.max_nodes == 0 ||
        job.min_nodes >= partition.min_nodes)
        return refusal;
    return refusal_of(job,
                      fmt::format("partition {} allows no jobs of fewer than {}, also as the least "
                                  "of a range",
                                  partition.name, plural(partition.min_nodes, "node")),
                      true);
}

/// What sbatch refuses: it does not even wait.
std::optional<Refusal> refused_at_once(const ClusterState& state, const JobQuestion& question) {
    const PartitionRecord& partition = *question.viewer.partition;
    std::string never;
    if (partition.needs_reservation && question.viewer.reservation.empty())
        never = fmt::format("partition {} takes only jobs with --reservation", partition.name);
    if (partition.closed) never = state_remark(partition);
    if (is_too_late(question, first_start(*question.job, state.now)))
        never = fmt::format("it cannot end before its deadline at {}",
                            short_time(*question.job->deadline, state.now));
    if (never.empty()) return std::nullopt;
    return refusal_of(*question.job, std::move(never), true);
}

/// What becomes of a job that a partition never takes when it is submitted.
std::string submission_remark(const ClusterState& state) {
    if (state.enforce_part_limits.empty()) return "";
    return fmt::format("{} (EnforcePartLimits={})",
                       enforces_limits(state) ? "sbatch refuses such a job"
                                              : "sbatch takes such a job, and it waits",
                       state.enforce_part_limits);
}

/// Those of a list; of an empty one an empty name.
std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> names;
    do names.emplace_back(take_item(list));
    while (!list.empty());
    return names;
}

/// Of several partitions, slurmctld raises a request to the smallest MinNodes only.
void raise_least(const std::vector<const PartitionRecord*>& partitions, JobRecord& job) {
    if (partitions.size() == 1) return;
    std::uint32_t least = partitions.front()->min_nodes;
    for (const PartitionRecord* each : partitions) least = std::min(least, each->min_nodes);
    if (job.max_nodes == 0 || job.max_nodes >= least)
        job.min_nodes = std::max(job.min_nodes, least);
}

/// An empty name for a job without one.
std::vector<std::string> reservations_of(const ClusterState& state, std::string_view names) {
    std::vector<std::string> reservations = names_in(names);
    for (const std::string& name : reservations)
        if (!names.empty() && state.find_reservation(name) == nullptr)
            throw InputError("--reservation", fmt::format("\"{}\" is unknown", name),
                             "write one that scontrol show reservations shows");
    return reservations;
}

/// With the largest of its node counts that fits. `question` is that of the last one tried.
Answer ask_each_count(const ClusterState& state, JobQuestion& question, const Offer& offer,
                      NodeSetView drained) {
    std::vector<std::uint32_t> counts = question.job->node_counts;
    std::erase_if(
        counts, [&](std::uint32_t count) { return count < question.viewer.partition->min_nodes; });
    if (counts.empty()) return ask(state, question, question.request, offer, drained);
    question.request.sized_by_totals = false;
    Answer answer;
    for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
        if (*count > offer.usable.count() && *count > counts.front()) continue;
        question.request.min_nodes = question.request.max_nodes = *count;
        answer = ask(state, question, question.request, offer, drained);
        if (std::holds_alternative<Placement>(answer)) break;
    }
    return answer;
}

void add_remark(std::string remark, std::vector<std::string>& remarks) {
    if (!remark.empty()) remarks.push_back(std::move(remark));
}

bool is_permanent(const LiveAnswer& answer) {
    return std::get<Refusal>(answer.answer).permanent;
}

/// Adds what sbatch has no options for.
void add_wishes(const JobRequest& wishes, const std::optional<DemandInForce>& in_force,
                Request& request) {
    request.policy = wishes.policy;
    if (wishes.demand)
        request.demand = wishes.demand->sizes();
    else if (in_force)
        request.demand = in_force->demand.sizes();
    request.max_base_blocks = wishes.max_base_blocks;
}

/// A job of whole nodes, as slurmctld would record it.
JobRecord requested_job(const ClusterState& state, const JobRequest& request,
                        const LiveJobOptions& options) {
    const NodeTable& table = state.cluster.nodes;
    JobRecord job;
    job.state = JobState::pending;
    job.user = state.user;
    job.partition = options.partition;
    job.time_limit = asked_duration(options.time);
    job.reservation = options.reservation;
    job.features = options.constraint;
    job.required = table.parse(request.nodelist.location, request.nodelist.text);
    job.excluded = table.parse(request.exclude.location, request.exclude.text);
    job.min_nodes = request.nodes.least;
    job.max_nodes = request.nodes.most;
    job.segment_size = request.segment_size;
    job.spread_segments = request.spread_segments;
    job.consolidate_segments = request.consolidate_segments;
    job.exclusive_topo = request.exclusive_topo;
    job.exclusive_node = true;
    return job;
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

ClusterState cluster_without_jobs(LoadedCluster loaded, const NodeSet& busy, const NodeSet& drained,
                                  const std::vector<std::uint64_t>& weights) {
    const std::size_t count = loaded.nodes.size();
    ClusterState state{.topology_plugin = "topology/nvl72block", .cluster = std::move(loaded)};
    state.options.policy = Policy::pack;  // each request has its own
    PartitionRecord& all = state.partitions.emplace_back();
    all.nodes = NodeSet(count);
    all.is_default = all.exclusive_node = true;
    for (NodeIndex index = 0; index < count; ++index) {
        NodeRecord& node = state.nodes.emplace_back();
        node.base = busy.test(index) ? NodeBase::allocated : NodeBase::idle;
        if (drained.test(index)) node.flags = flag_drain;
        if (!weights.empty()) node.weight = weights[index];
        node.cpus = 1;
        all.nodes.set(index);
    }
    return state;
}

LivePlan::LivePlan(ClusterState state)
    : state_(std::move(state)), demand_(demand_in_force(state_)) {}

std::vector<std::string> LivePlan::remarks(const JobQuestion& question) const {
    const PartitionRecord& partition = *question.viewer.partition;
    std::vector<std::string> found = question.remarks;
    add_remark(too_hopeful(question), found);
    if (!partition.up && !partition.closed) found.push_back(state_remark(partition));
    const ReservationRecord* own = state_.find_reservation(question.viewer.reservation);
    if (own != nullptr && own->start > state_.now && !own->flex)
        found.push_back(fmt::format("reservation {} begins at {}", own->name,
                                    short_time(own->start, state_.now)));
    if (demand_ && state_.runs_nvl72block())
        found.push_back("slurmctld keeps slots for " + to_string(*demand_));
    if (first_start(*question.job, state_.now) > state_.now)
        found.emplace_back("jobs that end before its --begin count as ended");
    add_remark(of_another_plugin(state_), found);
    for (std::string& remark : access_remarks(partition, *question.job))
        found.push_back(std::move(remark));
    std::map<std::string, std::size_t> jobs;
    for (const JobRecord* job : jobs_before(state_, *question.job, partition))
        ++jobs[is_of(*job, partition) ? partition.name : partition_of(state_, *job)->name];
    for (const auto& [name, count] : jobs)
        found.push_back(
            fmt::format("{} in partition {}: Slurm may start them first, or keep nodes for them",
                        count == 1 ? "1 job waits" : fmt::format("{} jobs wait", count), name));
    return found;
}

LiveAnswer LivePlan::plan_in(const PartitionRecord& partition, const JobRecord& job,
                             const JobRequest& wishes) const {
    JobQuestion question = job_question(state_, job, 0, &partition);
    const Availability nodes = availability(state_, question.viewer);
    const Occupancy occupancy(state_);
    add_wishes(wishes, demand_, question.request);
    if (wishes.policy == Policy::demand) question.idle = idle_nodes(state_);
    LiveAnswer result{Refusal(), {}, remarks(question), &partition};
    std::optional<Refusal> refusal = refused_at_once(state_, question);
    if (!refusal) {
        refusal = beyond_limits(state_, partition, job);
        if (refusal && refusal->permanent) add_remark(submission_remark(state_), result.remarks);
    }
    if (!refusal) refusal = refused_for_features(state_, question);
    if (refusal) {
        result.answer = *std::move(refusal);
        return result;
    }
    const SlurmTime first = first_start(job, state_.now);
    result.answer = ask_each_count(state_, question,
                                   offer_at(state_, occupancy, question, question.viewer, first),
                                   nodes.drained);
    if (const auto* placement = std::get_if<Placement>(&result.answer)) {
        if (first > state_.now) result.start = first;
        add_remark(planned_remark(nodes.planned, *placement), result.remarks);
    } else if (!std::get<Refusal>(result.answer).permanent) {
        result.start = forecast(state_, occupancy, question).start;
        add_remark(too_pessimistic(question), result.remarks);
    }
    if (result.start && is_too_late(question, *result.start))
        result.remarks.emplace_back("it cannot end before its deadline then");
    return result;
}

LiveAnswer LivePlan::plan(const JobRecord& job, const JobRequest& wishes) const {
    const std::vector<std::string> reservations = reservations_of(state_, job.reservation);
    std::vector<const PartitionRecord*> partitions;
    for (const std::string& name : names_in(job.partition))
        partitions.push_back(&state_.partition(name));
    JobRecord there = job;
    if (job.partition.empty()) there.partition = partitions.front()->name;
    if (!enforces_limits(state_)) raise_least(partitions, there);
    if (state_.enforce_part_limits == "ALL" && job.qos.empty())  // which may override a limit
        for (const PartitionRecord* partition : partitions)
            if (beyond_limits(state_, *partition, there)) return plan_in(*partition, there, wishes);
    std::optional<LiveAnswer> first;
    for (const PartitionRecord* partition : partitions)
        for (const std::string& reservation : reservations) {
            there.reservation = reservation;
            LiveAnswer answer = plan_in(*partition, there, wishes);
            if (std::holds_alternative<Placement>(answer.answer)) return answer;
            // Where it waits says more than where it is never taken.
            if (!first || (is_permanent(*first) && !is_permanent(answer)))
                first = std::move(answer);
        }
    return *std::move(first);
}

LiveAnswer LivePlan::plan(const JobRequest& request, const LiveJobOptions& options) {
    const JobRecord job = requested_job(state_, request, options);
    LiveAnswer answer = plan(job, request);
    const PartitionRecord& partition = *answer.partition;
    if (!partition.exclusive_node)
        answer.remarks.push_back(
            fmt::format("jobs may share the nodes of partition {}; the answer is for whole nodes "
                        "(sbatch --exclusive)",
                        partition.name));
    if (const auto* placement = std::get_if<Placement>(&answer.answer))
        occupy(job, partition, placement->nodes);
    return answer;
}

void LivePlan::occupy(const JobRecord& job, const PartitionRecord& partition,
                      const NodeSet& nodes) {
    nodes.for_each([&](NodeIndex index) {
        NodeRecord& node = state_.nodes[index];
        node.base = NodeBase::allocated;
        node.allocated_cpus = node.cpus;
    });
    if (!has_whole_blocks(job, partition)) return;
    NodeSet others = whole_blocks(state_.topology(), nodes);
    others.subtract(nodes);
    others.for_each([&](NodeIndex node) { state_.nodes[node].flags |= flag_blocked; });
}

}  // namespace nvl72block::cli
