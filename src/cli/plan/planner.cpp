// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/planner.hpp"

#include <algorithm>
#include <utility>

#include "cli/plan/requested_job.hpp"
#include "cli/question/blocks_in_use.hpp"
#include "cli/question/job_question.hpp"
#include "cli/question/node_list.hpp"

namespace nvl72block::cli {
namespace {

NodeSet all_nodes(std::size_t count) {
    NodeSet nodes(count);
    for (NodeIndex node = 0; node < count; ++node) nodes.set(node);
    return nodes;
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

NodeSet Planner::open_nodes(const JobRecord& job) const {
    NodeSet nodes = all_nodes(loaded_.nodes.size());
    nodes.subtract(busy_);
    nodes.subtract(drained_);
    close_blocks(loaded_.topology(), held_, nodes);
    if (job.exclusive_topo) close_blocks(loaded_.topology(), busy_, nodes);
    return nodes;
}

Answer Planner::plan(const JobRequest& asked) {
    JobRecord job = requested_job(asked, loaded_.nodes);
    Request request = request_of(job);
    add_wishes(asked, {}, request);
    const NodeList list = node_list(job.required, request.min_nodes);
    job.excluded.unite(list.excluded);
    request.required = list.required;

    NodeSet usable = open_nodes(job);
    usable.subtract(job.excluded);
    State state;
    state.usable = usable;
    state.weight = weights_;
    state.drained = drained_;
    state.excluded = job.excluded;
    if (request.policy == Policy::demand) state.idle = idle_;
    Answer answer = place(loaded_.topology(), request, state);
    if (const auto* placement = std::get_if<Placement>(&answer)) occupy(job, *placement);
    return answer;
}

void Planner::occupy(const JobRecord& job, const Placement& placement) {
    busy_.unite(placement.nodes);
    idle_.subtract(placement.nodes);
    if (job.exclusive_topo) held_.unite(placement.nodes);
}

}  // namespace nvl72block::cli
