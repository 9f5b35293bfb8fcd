// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/report/job_reproducer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "cli/plan/live_plan.hpp"
#include "cli/question/availability.hpp"
#include "cli/question/demand_in_force.hpp"
#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"

namespace nvl72block::cli {
namespace {

std::string sizes_text(const Topology& topology) {
    std::string text;
    for (const Level& level : topology.levels())
        text += fmt::format("{}{}", text.empty() ? "" : ",", level.nodes);
    return text;
}

std::vector<NodeSet> blocks_of(const Topology& topology) {
    std::vector<NodeSet> blocks(topology.block_count(), NodeSet(topology.node_count()));
    for (NodeIndex node = 0; node < topology.node_count(); ++node)
        if (topology.block_of(node) != no_block) blocks[topology.block_of(node)].set(node);
    return blocks;
}

std::vector<NodeKind> kinds_of(const ClusterState& state) {
    std::vector<NodeKind> kinds;
    for (NodeIndex index = 0; index < state.nodes.size(); ++index) {
        const NodeRecord& node = state.nodes[index];
        auto kind = std::ranges::find_if(kinds, [&](const NodeKind& each) {
            return each.cpus == node.cpus && each.gpus == node.gpus && each.memory == node.memory &&
                   each.weight == node.weight;
        });
        if (kind == kinds.end())
            kind = kinds.insert(kinds.end(), {node.cpus, node.gpus, node.memory, node.weight,
                                              NodeSet(state.nodes.size())});
        kind->nodes.set(index);
    }
    return kinds;
}

NodeSet idle_nodes(const ClusterState& state, const JobQuestion& question) {
    NodeSet idle(state.nodes.size());
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (is_idle(state.nodes[node])) idle.set(node);
    if (holds_nodes(*question.job)) idle.unite(question.job->nodes);
    return idle;
}

std::vector<SharedNode> shared_nodes(const ClusterState& state, const NodeSet& idle) {
    std::vector<SharedNode> shared;
    for (NodeIndex index = 0; index < state.nodes.size(); ++index) {
        const NodeRecord& node = state.nodes[index];
        if (node.base == NodeBase::mixed && in_service(node) && !idle.test(index))
            shared.push_back(
                {index, node.allocated_cpus, node.allocated_gpus, node.allocated_memory});
    }
    return shared;
}

void set_cluster(const ClusterState& state, const JobQuestion& question, Reproducer& reproducer) {
    const PartitionRecord& partition = *question.viewer.partition;
    reproducer.slurm = state.slurm_version;
    reproducer.options = state.options;
    const auto demand = demand_in_force(state);
    reproducer.options.demand = demand ? to_string(demand->demand) : "off";
    reproducer.nodes = state.nodes.size();
    reproducer.blocks = blocks_of(state.topology());
    reproducer.sizes = sizes_text(state.topology());
    reproducer.kinds = kinds_of(state);
    reproducer.idle = idle_nodes(state, question);
    reproducer.candidates = question.suitable;
    reproducer.candidates.subtract(reserved_nodes(state, question.viewer, state.now));
    if (question.request.exclusive) {
        NodeSet foreign = foreign_nodes(state, question.viewer);
        if (holds_nodes(*question.job)) foreign.subtract(question.job->nodes);
        reproducer.candidates.subtract(whole_blocks(state.topology(), foreign));
    }
    reproducer.whole_nodes = has_whole_nodes(*question.job, partition);
    if (!reproducer.whole_nodes) reproducer.shared = shared_nodes(state, reproducer.idle);
}

std::vector<std::string> more_options(const JobRecord& job) {
    std::vector<std::string> options;
    const auto add = [&](const char* option, std::uint64_t value) {
        if (value != 0) options.push_back(fmt::format("{}={}", option, value));
    };
    add("--ntasks", job.tasks);
    if (job.tasks != 0 && job.cpus > job.tasks) add("--cpus-per-task", job.cpus / job.tasks);
    if (job.min_cpus_node > 1) add("--mincpus", job.min_cpus_node);
    add("--mem", job.min_memory_node);
    add("--gpus-per-node", job.gpus_per_node);
    add("--gpus", job.gpus);
    if (job.contiguous) options.emplace_back("--contiguous");
    return options;
}

void set_job(const JobQuestion& question, Reproducer& reproducer) {
    const Request& request = question.request;
    reproducer.min_nodes = request.sized_by_totals ? 0 : request.min_nodes;
    reproducer.max_nodes = request.sized_by_totals ? 0 : request.max_nodes;
    reproducer.segment = request.segment_size;
    reproducer.spread_segments = request.spread_segments;
    reproducer.consolidate_segments = request.consolidate_segments;
    reproducer.whole_blocks = request.exclusive;
    reproducer.required = question.required;
    reproducer.switches = question.job->switches;
    reproducer.sbatch = more_options(*question.job);
}

JobRequest planned_job(const ClusterState& state, const Reproducer& reproducer) {
    NodeSet excluded = reproducer.idle;
    excluded.subtract(reproducer.candidates);
    JobRequest request;
    request.nodes = {reproducer.min_nodes, std::max(reproducer.min_nodes, reproducer.max_nodes)};
    request.segment_size = reproducer.segment;
    request.spread_segments = reproducer.spread_segments;
    request.consolidate_segments = reproducer.consolidate_segments;
    request.exclusive_topo = reproducer.whole_blocks;
    request.nodelist.text = state.cluster.nodes.hostlist(reproducer.required);
    request.exclude.text = state.cluster.nodes.hostlist(excluded);
    request.policy = reproducer.options.policy;
    std::string error;
    request.demand = Demand::parse(reproducer.options.demand, error);
    return request;
}

/// What the command of the text answers.
std::string planned(const ClusterState& state, const Reproducer& reproducer) {
    std::vector<std::uint64_t> weights;
    for (const NodeRecord& node : state.nodes) weights.push_back(node.weight);
    NodeSet drained = all_nodes(reproducer.nodes);
    drained.subtract(reproducer.idle);
    LivePlan plan(cluster_without_jobs(state.cluster, NodeSet(reproducer.nodes), drained, weights));
    const Answer answer = plan.plan(planned_job(state, reproducer), {}).answer;
    const auto* placement = std::get_if<Placement>(&answer);
    return placement != nullptr ? replaced_names(placement->nodes) : "does not fit";
}

std::string slurms_answer(const JobRecord& job) {
    if (holds_nodes(job)) return replaced_names(job.nodes);
    return job.reason.empty() ? job.state_text : fmt::format("{} ({})", job.state_text, job.reason);
}

}  // namespace

Reproducer job_reproducer(const ClusterState& state, const JobQuestion& question) {
    Reproducer reproducer;
    set_cluster(state, question, reproducer);
    set_job(question, reproducer);
    reproducer.answers.emplace_back(state.topology_plugin, slurms_answer(*question.job));
    if (can_be_planned(reproducer))
        reproducer.answers.emplace_back("plan", planned(state, reproducer));
    return reproducer;
}

}  // namespace nvl72block::cli
