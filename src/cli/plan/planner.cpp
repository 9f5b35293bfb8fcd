// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/planner.hpp"

#include <algorithm>
#include <utility>

#include "cli/question/blocks_in_use.hpp"
#include "cli/question/node_list.hpp"

namespace nvl72block::cli {
namespace {

NodeSet all_nodes(std::size_t count) {
    NodeSet nodes(count);
    for (NodeIndex node = 0; node < count; ++node) nodes.set(node);
    return nodes;
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
      weights_(std::move(weights)),
      held_(loaded.nodes.size()) {
    idle_.subtract(busy_);
    idle_.subtract(drained_);
}

NodeSet Planner::open_nodes(const JobRequest& request) const {
    NodeSet nodes = all_nodes(loaded_.nodes.size());
    nodes.subtract(busy_);
    nodes.subtract(drained_);
    close_blocks(loaded_.topology(), held_, nodes);
    if (request.exclusive_topo) close_blocks(loaded_.topology(), busy_, nodes);
    return nodes;
}

Answer Planner::plan(const JobRequest& job) {
    const NodeSet listed = loaded_.nodes.parse(job.nodelist.location, job.nodelist.text);
    NodeSet excluded = loaded_.nodes.parse(job.exclude.location, job.exclude.text);
    Request request = engine_request(job);
    const NodeList list = node_list(listed, request.min_nodes);
    excluded.unite(list.excluded);
    request.required = list.required;

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
    if (request.exclusive_topo) held_.unite(placement.nodes);
}

}  // namespace nvl72block::cli
