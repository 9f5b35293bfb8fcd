// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/engine_strategy.hpp"

#include <utility>

namespace nvl72block::replay {

std::optional<Placement> EngineStrategy::choose(const Topology& topology, const Job& job,
                                                NodeSetView free) const {
    Request request;
    request.min_nodes = request.max_nodes = job.nodes;
    request.segment_size = job.segment;
    request.policy = policy_;
    State state;
    state.usable = free;
    Answer answer = place(topology, request, state);
    auto* placement = std::get_if<Placement>(&answer);
    if (placement == nullptr) return std::nullopt;
    return std::move(*placement);
}

}  // namespace nvl72block::replay
