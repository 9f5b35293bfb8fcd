// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/live_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/input/input_error.hpp"
#include "text/has_word.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

Viewer checked_viewer(const ClusterState& state, const LiveJobOptions& options) {
    Viewer viewer = viewer_of(state, options.partition, options.time);
    if (!options.reservation.empty() && state.find_reservation(options.reservation) == nullptr)
        throw InputError("--reservation", fmt::format("\"{}\" is unknown", options.reservation),
                         "write one that scontrol show reservations shows");
    viewer.reservation = options.reservation;
    return viewer;
}

/// Nodes of jobs and of reservations of others: a job with --exclusive-topo gets none of their
/// base blocks.
NodeSet foreign_nodes(const ClusterState& state, const Viewer& viewer) {
    NodeSet nodes = reserved_nodes(state, viewer, state.now);
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (has_job(state.nodes[node])) nodes.set(node);
    return nodes;
}

std::vector<std::uint64_t> weights_of(const ClusterState& state) {
    std::vector<std::uint64_t> weights;
    for (const NodeRecord& node : state.nodes) weights.push_back(node.weight);
    return weights;
}

/// All that is neither free nor out of service: other partitions' nodes and reservations as well.
NodeSet closed_nodes(const ClusterState& state, const Availability& nodes) {
    NodeSet closed(state.nodes.size());
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (!nodes.free.test(node) && !nodes.drained.test(node)) closed.set(node);
    return closed;
}

NodeSet idle_nodes(const ClusterState& state) {
    NodeSet idle(state.nodes.size());
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (is_idle(state.nodes[node])) idle.set(node);
    return idle;
}

/// Pending jobs of the partition that nothing but nodes or their turn keeps from starting.
std::size_t jobs_in_line(const ClusterState& state, const PartitionRecord& partition) {
    return static_cast<std::size_t>(std::ranges::count_if(state.jobs, [&](const JobRecord& job) {
        return job.state == JobState::pending && has_word(job.partition, partition.name) &&
               (job.reason == "Resources" || job.reason == "Priority" || job.reason == "None");
    }));
}

}  // namespace

LivePlan::LivePlan(const ClusterState& state, const LiveJobOptions& options)
    : state_(state),
      demand_(demand_in_force(state)),
      viewer_(checked_viewer(state, options)),
      nodes_(availability(state, viewer_)),
      planner_(state.cluster, foreign_nodes(state, viewer_), nodes_.drained, weights_of(state)) {
    planner_.close(closed_nodes(state, nodes_), unsuitable(options.constraint));
    planner_.set_idle(idle_nodes(state));
    add_remarks();
}

NodeSet LivePlan::unsuitable(const std::string& constraint) {
    NodeSet nodes(state_.nodes.size());
    bool understood = true;
    viewer_.partition->nodes.for_each([&](NodeIndex node) {
        const std::optional<bool> meets = meets_constraint(state_.nodes[node].features, constraint);
        understood &= meets.has_value();
        if (!meets.value_or(true)) nodes.set(node);
    });
    if (!understood)
        remarks_.push_back(fmt::format("--constraint={} is not considered", constraint));
    return nodes;
}

void LivePlan::add_remarks() {
    const PartitionRecord& partition = *viewer_.partition;
    if (!partition.up)
        remarks_.push_back(
            fmt::format("partition {} is down: nothing starts in it", partition.name));
    const ReservationRecord* own = state_.find_reservation(viewer_.reservation);
    if (own != nullptr && own->start > state_.now)
        remarks_.push_back(fmt::format("reservation {} begins at {}", own->name,
                                       short_time(own->start, state_.now)));
    if (demand_ && state_.runs_nvl72block())
        remarks_.push_back("slurmctld keeps slots for " + to_string(*demand_));
    if (!state_.runs_nvl72block())
        remarks_.push_back(
            fmt::format("the cluster has TopologyPlugin={}, which may choose other nodes or none",
                        state_.topology_plugin));
    if (!partition.exclusive_node)
        remarks_.push_back(
            fmt::format("jobs may share the nodes of partition {}; the answer is for whole nodes "
                        "(sbatch --exclusive)",
                        partition.name));
    if (const std::size_t jobs = jobs_in_line(state_, partition); jobs > 0)
        remarks_.push_back(fmt::format(
            "{} in partition {}: Slurm may start them first, or keep nodes for them",
            jobs == 1 ? "1 job waits" : fmt::format("{} jobs wait", jobs), partition.name));
}

std::string LivePlan::limit_broken(const JobRequest& request) const {
    const PartitionRecord& partition = *viewer_.partition;
    if (partition.max_nodes && request.nodes.least > *partition.max_nodes)
        return fmt::format("partition {} allows at most {} per job", partition.name,
                           plural(*partition.max_nodes, "node"));
    // Slurm does not reduce the range.
    if (partition.max_nodes && request.nodes.most > *partition.max_nodes)
        return fmt::format(
            "partition {} allows at most {} per job, and the request allows up to "
            "{}; ask for --nodes={}-{}",
            partition.name, plural(*partition.max_nodes, "node"), request.nodes.most,
            request.nodes.least, *partition.max_nodes);
    if (partition.max_time && viewer_.duration.value_or(0) > *partition.max_time)
        return fmt::format("partition {} allows a time limit of at most {}", partition.name,
                           duration_text(*partition.max_time));
    return {};
}

Answer LivePlan::plan(JobRequest request) {
    if (std::string detail = limit_broken(request); !detail.empty()) {
        Refusal refusal;
        refusal.reason = RefusalReason::bad_request;
        refusal.permanent = true;
        refusal.wanted_nodes = request.nodes.least;
        refusal.detail = std::move(detail);
        return refusal;
    }
    if (viewer_.partition->exclusive_topo) request.exclusive_topo = true;
    if (demand_ && !request.demand) request.demand = demand_->demand;
    return planner_.plan(request);
}

std::vector<std::string> LivePlan::remarks(const Answer& answer) const {
    std::vector<std::string> all = remarks_;
    const auto* placement = std::get_if<Placement>(&answer);
    if (placement == nullptr) return all;
    std::uint32_t planned = 0;
    placement->nodes.for_each(
        [&](NodeIndex node) { planned += nodes_.planned.test(node) ? 1 : 0; });
    if (planned > 0)
        all.push_back(
            fmt::format("{} of the nodes {} planned for pending jobs: the job starts there only if "
                        "it ends before they start",
                        planned, planned == 1 ? "is" : "are"));
    return all;
}

}  // namespace nvl72block::cli
