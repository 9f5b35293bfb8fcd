// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/strategies/demand_strategy.hpp"

#include <algorithm>

#include "replay/strategies/engine_strategy.hpp"

namespace nvl72block::replay {
namespace {

/// What the job takes until `end` if it starts at once.
DemandHistory::Entry entry_of(const Job& job, std::int64_t end) {
    const double amount = job.nodes * static_cast<double>(std::min(job.duration, end - job.submit));
    return {.nodes = job.slot_nodes(), .amount = amount};
}

DemandHistory history_of(const std::vector<Job>& jobs, std::int64_t end) {
    DemandHistory history;
    for (const Job& job : jobs)
        if (job.submit < end) history.add(end, entry_of(job, end));
    return history;
}

/// A history of other jobs as if it ended at `time`.
DemandHistory ending_at(std::int64_t time, const DemandHistory& history) {
    const std::vector<DemandHistory::Entry> entries = history.entries();
    DemandHistory moved;
    moved.restore(time, entries);
    return moved;
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
    const std::int64_t begin = jobs.front().submit;
    learned_ = source_.history ? LearnedDemand::from_accounting(ending_at(begin, *source_.history))
                               : LearnedDemand(history_of(jobs, 0));
    watch(begin, {});
}

void DemandStrategy::watch(std::int64_t time, std::span<const Job* const> queue) {
    if (source_.kind != DemandSource::Kind::learned) return;
    learned_.begin(time);
    for (const Job* job : queue) learned_.observe(job->slot_nodes(), job->nodes);
    learned_.finish(ground_);
    demand_ = learned_.demand();
}

std::optional<Placement> DemandStrategy::choose(const Topology& topology, const Job& job,
                                                NodeSetView free) const {
    return choose_by_engine(topology, job, free, Policy::demand, demand_.sizes());
}

}  // namespace nvl72block::replay
