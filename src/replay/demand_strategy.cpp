// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/demand_strategy.hpp"

#include "nvl72block/learned_demand.hpp"
#include "replay/engine_strategy.hpp"

namespace nvl72block::replay {
namespace {

std::uint32_t slot_of(const Job& job) {
    return job.segment > 0 && job.segment < job.nodes ? job.segment : job.nodes;
}

}  // namespace

/// The history is in nodes that jobs ask for, and as much as the whole cluster is the prior.
void DemandStrategy::begin(const Topology& topology, const std::vector<Job>& jobs) {
    const auto ground = LearnedDemand::Ground::of(topology);
    frame_ = {ground.planning_size, static_cast<double>(ground.nodes), ground.largest_block};
    history_ = DemandHistory();
    demand_ = source_.stated;
    if (source_.kind == DemandSource::Kind::stated) return;
    if (source_.kind == DemandSource::Kind::known) {
        for (const Job& job : jobs) history_.add(0, slot_of(job), job.nodes);
        frame_.prior_amount = 0;
    }
    demand_ = history_.demand(0, frame_);
}

void DemandStrategy::submitted(const Job& job) {
    if (source_.kind != DemandSource::Kind::learned) return;
    history_.add(job.submit, slot_of(job), job.nodes);
    demand_ = history_.demand(job.submit, frame_);
}

std::optional<Placement> DemandStrategy::choose(const Topology& topology, const Job& job,
                                                NodeSetView free) const {
    return choose_by_engine(topology, job, free, Policy::demand, demand_.sizes());
}

}  // namespace nvl72block::replay
