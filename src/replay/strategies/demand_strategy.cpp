// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/strategies/demand_strategy.hpp"

#include <algorithm>

#include "replay/strategies/engine_strategy.hpp"

namespace nvl72block::replay {
namespace {

std::uint32_t slot_of(const Job& job) {
    return job.segment > 0 && job.segment < job.nodes ? job.segment : job.nodes;
}

/// What the job takes until `end` if it starts at once.
DemandHistory::Entry entry_of(const Job& job, std::int64_t end) {
    const double amount = job.nodes * static_cast<double>(std::min(job.duration, end - job.submit));
    return {.nodes = slot_of(job), .amount = amount};
}

DemandHistory history_of(const std::vector<Job>& jobs, std::int64_t end) {
    DemandHistory history;
    for (const Job& job : jobs)
        if (job.submit < end) history.add(end, entry_of(job, end));
    return history;
}

}  // namespace

/// Of the jobs before time 0 the cluster has run the like before: they are known from the
/// beginning.
void DemandStrategy::begin(const Topology& topology, const std::vector<Job>& jobs) {
    ground_ = LearnedDemand::Ground::of(topology);
    demand_ = source_.stated;
    if (source_.kind == DemandSource::Kind::stated) return;
    if (jobs.empty()) return;
    if (source_.kind == DemandSource::Kind::known) {
        const std::int64_t end = jobs.back().submit;
        demand_ = history_of(jobs, end).demand(end, {.largest = ground_.largest});
        return;
    }
    learned_ = LearnedDemand(history_of(jobs, 0));
    watch(jobs.front().submit, {});
}

void DemandStrategy::watch(std::int64_t time, std::span<const Job* const> queue) {
    if (source_.kind != DemandSource::Kind::learned) return;
    learned_.begin(time);
    for (const Job* job : queue) learned_.observe(slot_of(*job), job->nodes);
    learned_.finish(ground_);
    demand_ = learned_.demand();
}

std::optional<Placement> DemandStrategy::choose(const Topology& topology, const Job& job,
                                                NodeSetView free) const {
    return choose_by_engine(topology, job, free, Policy::demand, demand_.sizes());
}

}  // namespace nvl72block::replay
