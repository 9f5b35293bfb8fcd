// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/repair.hpp"

#include "cli/question/node_use.hpp"

namespace nvl72block::cli {
namespace {

/// More nodes than these are not worth a suggestion, or a question for each of them.
constexpr std::uint32_t most_repaired = 8;
constexpr std::uint32_t most_tried = 32;

}  // namespace

NodeSet idle_once_repaired(const ClusterState& state, const Viewer& viewer,
                           const NodeSet& out_of_service) {
    NodeSet idle = out_of_service;
    idle.subtract(reserved_nodes(state, viewer, state.now));
    out_of_service.for_each([&](NodeIndex node) {
        if (runs_job(state.nodes[node])) idle.reset(node);
    });
    return idle;
}

NodeSet needed_repairs(const ClusterState& state, const JobQuestion& question, const Offer& offer,
                       const NodeSet& idle) {
    NodeSet needed(state.nodes.size());
    if (question.request.exclusive) return needed;  // the state of their blocks would matter, too
    JobQuestion preferring = question;
    // Only where nothing else fits does a placement use them.
    idle.for_each([&](NodeIndex node) { preferring.weight[node] += std::uint64_t{1} << 32; });
    const Answer answer =
        ask(state, preferring, question.request, with_idle(state, question, offer, idle));
    const auto* placement = std::get_if<Placement>(&answer);
    if (placement == nullptr) return needed;
    idle.for_each([&](NodeIndex node) {
        if (placement->nodes.test(node)) needed.set(node);
    });
    if (needed.count() > most_tried) return NodeSet(state.nodes.size());
    const NodeSet all = needed;
    all.for_each([&](NodeIndex node) {
        needed.reset(node);
        if (!fits(state, question, question.request, with_idle(state, question, offer, needed)))
            needed.set(node);
    });
    return needed.count() > most_repaired ? NodeSet(state.nodes.size()) : needed;
}

}  // namespace nvl72block::cli
