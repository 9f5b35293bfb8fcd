// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/planner.hpp"

#include <algorithm>
#include <utility>

namespace nvl72block::cli {
namespace {

NodeSet all_nodes(std::size_t count) {
    NodeSet nodes(count);
    for (NodeIndex node = 0; node < count; ++node) nodes.set(node);
    return nodes;
}

NodeSet complement(NodeSetView nodes) {
    NodeSet others = all_nodes(nodes.size());
    others.subtract(nodes);
    return others;
}

Request engine_request(const JobRequest& job) {
    Request request;
    request.min_nodes = job.nodes.least;
    request.max_nodes = job.nodes.most;
    request.segment_size = job.segment_size;
    request.spread_segments = job.spread_segments;
    request.consolidate_segments = job.consolidate_segments;
    request.exclusive = job.exclusive_topo;
    request.max_base_blocks = job.max_base_blocks;
    request.policy = job.policy;
    if (job.demand) request.demand = job.demand->sizes();
    return request;
}

}  // namespace

Planner::Planner(const LoadedCluster& loaded, NodeSet busy, NodeSet drained,
                 std::vector<std::uint64_t> weights)
    : loaded_(loaded),
      busy_(std::move(busy)),
      drained_(std::move(drained)),
      idle_(all_nodes(loaded.nodes.size())),
      closed_(loaded.nodes.size()),
      excluded_(loaded.nodes.size()),
      weights_(std::move(weights)),
      held_(loaded.topology().block_count(), false) {
    idle_.subtract(busy_);
    idle_.subtract(drained_);
}

void Planner::close(NodeSet closed, NodeSet excluded) {
    closed_ = std::move(closed);
    excluded_ = std::move(excluded);
}

void Planner::set_idle(NodeSet idle) {
    idle_ = std::move(idle);
}

void Planner::close_block(BlockIndex block, NodeSet& nodes) const {
    for (const NodeRange& range : loaded_.topology().ranges(block))
        for (NodeIndex node = range.begin; node < range.end; ++node) nodes.reset(node);
}

NodeSet Planner::open_nodes(const JobRequest& request) const {
    NodeSet nodes = all_nodes(loaded_.nodes.size());
    nodes.subtract(busy_);
    nodes.subtract(drained_);
    nodes.subtract(closed_);
    for (BlockIndex block = 0; block < loaded_.topology().block_count(); ++block)
        if (held_[block] || (request.exclusive_topo && loaded_.topology().count(block, busy_) > 0))
            close_block(block, nodes);
    return nodes;
}

Answer Planner::plan(const JobRequest& job) {
    NodeSet listed = loaded_.nodes.parse(job.nodelist.location, job.nodelist.text);
    NodeSet excluded = loaded_.nodes.parse(job.exclude.location, job.exclude.text);
    excluded.unite(excluded_);
    Request request = engine_request(job);
    // As in Slurm, a list longer than the node count names the only nodes the job may have.
    if (listed.count() > request.min_nodes)
        excluded.unite(complement(listed));
    else
        request.required = listed;

    NodeSet usable = open_nodes(job);
    usable.subtract(excluded);
    State state;
    state.usable = usable;
    state.weight = weights_;
    state.drained = drained_;
    state.excluded = excluded;
    if (request.policy == Policy::demand) state.idle = idle_;
    Answer answer = place(loaded_.topology(), request, state);
    if (const auto* placement = std::get_if<Placement>(&answer)) occupy(job, *placement);
    return answer;
}

void Planner::occupy(const JobRequest& request, const Placement& placement) {
    busy_.unite(placement.nodes);
    idle_.subtract(placement.nodes);
    if (!request.exclusive_topo) return;
    for (const BlockIndex block : placement.blocks) held_[block] = true;
}

}  // namespace nvl72block::cli
