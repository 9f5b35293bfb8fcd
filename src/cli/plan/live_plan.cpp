// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/live_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"
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

std::vector<std::uint64_t> weights_of(const ClusterState& state) {
    std::vector<std::uint64_t> weights;
    for (const NodeRecord& node : state.nodes) weights.push_back(scheduling_weight(node));
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
        return job.state == JobState::pending && is_of(job, partition) &&
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
        const std::optional<bool> meets =
            meets_constraint(state_.nodes[node].active_features, constraint);
        understood &= meets.has_value();
        if (!meets.value_or(true)) nodes.set(node);
    });
    if (!understood)
        remarks_.push_back(fmt::format("--constraint={} is not considered", constraint));
    if (nodes == viewer_.partition->nodes)
        unmet_ = fmt::format("no node of partition {} has the features {}", viewer_.partition->name,
                             constraint);
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

Answer LivePlan::plan(JobRequest request) {
    if (auto refusal = refused_by_partition(*viewer_.partition, request.nodes.least,
                                            request.nodes.most, viewer_.duration))
        return *std::move(refusal);
    if (!unmet_.empty()) {
        Refusal refusal;
        refusal.reason = RefusalReason::bad_request;
        refusal.wanted_nodes = request.nodes.least;
        refusal.detail = unmet_;
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
