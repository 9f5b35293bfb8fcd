// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/strategies/engine_strategy.hpp"

#include <utility>

namespace nvl72block::replay {

std::optional<Placement> choose_by_engine(const Topology& topology, const Job& job,
                                          NodeSetView free, Policy policy,
                                          std::span<const DemandSize> demand) {
    Request request;
    request.min_nodes = request.max_nodes = job.nodes;
    request.segment_size = job.segment;
    request.policy = policy;
    request.demand = demand;
    State state;
    state.usable = free;
    Answer answer = place(topology, request, state);
    auto* placement = std::get_if<Placement>(&answer);
    if (placement == nullptr) return std::nullopt;
    return std::move(*placement);
}

std::optional<Placement> EngineStrategy::choose(const Topology& topology, const Job& job,
                                                NodeSetView free) const {
    return choose_by_engine(topology, job, free, policy_);
}

}  // namespace nvl72block::replay
