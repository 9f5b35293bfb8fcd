// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/occupancy.hpp"

#include <algorithm>

#include "cli/question/availability.hpp"
#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"

namespace nvl72block::cli {
namespace {

template <typename Number>
void take(Number& left, Number amount) {
    left -= std::min(left, amount);
}

/// A job that is past its end is about to leave its nodes.
SlurmTime end_of(const JobRecord& job, SlurmTime now) {
    if (job.state == JobState::completing) return now + 1;
    return std::max(job.end.value_or(Occupancy::never), now + 1);
}

}  // namespace

Occupancy::Occupancy(const ClusterState& state)
    : state_(state), shares_(state.nodes.size()), blocked_until_(state.nodes.size(), 0) {
    for (const JobRecord& job : state.jobs)
        if (holds_nodes(job)) add(job);
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (state.nodes[node].has(flag_blocked) && blocked_until_[node] == 0)
            blocked_until_[node] = last_end_in_block(node);
}

/// 24.11 does not show --exclusive=topo of a job that has whole nodes by its partition. Without any
/// job that is shown: never.
SlurmTime Occupancy::last_end_in_block(NodeIndex node) const {
    const BlockIndex block = state_.topology().block_of(node);
    SlurmTime last = 0;
    if (block == no_block) return never;
    for (const NodeRange& range : state_.topology().ranges(block))
        for (NodeIndex other = range.begin; other < range.end; ++other)
            for (const Share& each : shares_[other]) last = std::max(last, each.end);
    return last == 0 ? never : last;
}

bool Occupancy::wants_one_user(const JobRecord& job) const {
    const PartitionRecord* partition = partition_of(state_, job);
    return job.exclusive_user || (partition != nullptr && partition->exclusive_user);
}

void Occupancy::add(const JobRecord& job) {
    const PartitionRecord* partition = partition_of(state_, job);
    const SlurmTime end = end_of(job, state_.now);
    const auto nodes = static_cast<std::uint32_t>(job.nodes.count());
    if (nodes == 0) return;
    const bool whole = job.exclusive_node || (partition != nullptr && partition->exclusive_node);
    const bool one_user = wants_one_user(job);
    const Rest each{static_cast<std::uint32_t>((job.cpus + nodes - 1) / nodes),
                    (job.used_gpus + nodes - 1) / nodes, job.used_memory / nodes};
    job.nodes.for_each([&](NodeIndex node) {
        const NodeRecord& all = state_.nodes[node];
        shares_[node].push_back(
            {&job, end, one_user, whole ? Rest{all.cpus, all.gpus, all.memory} : each});
    });
    if (job.exclusive_topo || (partition != nullptr && partition->exclusive_topo)) block(job, end);
}

void Occupancy::block(const JobRecord& job, SlurmTime end) {
    NodeSet others = whole_blocks(state_.topology(), job.nodes);
    others.subtract(job.nodes);
    others.for_each(
        [&](NodeIndex node) { blocked_until_[node] = std::max(blocked_until_[node], end); });
}

bool Occupancy::is_used(NodeIndex node, SlurmTime time) const {
    const std::vector<Share>& shares = shares_[node];
    // Whose last job has ended by the books, but not in fact, and what a hidden job has.
    if (time <= state_.now || shares.empty()) return runs_job(state_.nodes[node]);
    return std::ranges::any_of(shares, [&](const Share& each) { return each.end > time; });
}

bool Occupancy::is_blocked(NodeIndex node, SlurmTime time) const {
    return blocked_until_[node] > time;
}

Occupancy::Rest Occupancy::rest(NodeIndex node, SlurmTime time) const {
    const NodeRecord& record = state_.nodes[node];
    Rest used;
    if (is_used(node, time)) {
        used = {record.allocated_cpus, record.allocated_gpus, record.allocated_memory};
        for (const Share& each : shares_[node]) {
            if (time <= state_.now || each.end > time) continue;
            take(used.cpus, each.amount.cpus);
            take(used.gpus, each.amount.gpus);
            take(used.memory, each.amount.memory);
        }
    }
    Rest left{record.cpus, record.gpus, record.memory};
    take(left.cpus, used.cpus);
    take(left.gpus, used.gpus);
    take(left.memory, used.memory);
    return left;
}

bool Occupancy::is_kept_by_another_user(NodeIndex node, SlurmTime time,
                                        const JobRecord& job) const {
    return std::ranges::any_of(shares_[node], [&](const Share& each) {
        return each.end > time && each.job->user != job.user &&
               (each.one_user || wants_one_user(job));
    });
}

std::vector<SlurmTime> Occupancy::releases(NodeIndex node) const {
    std::vector<SlurmTime> times;
    for (const Share& each : shares_[node])
        if (each.end != never) times.push_back(each.end);
    if (blocked_until_[node] != 0 && blocked_until_[node] != never)
        times.push_back(blocked_until_[node]);
    return times;
}

}  // namespace nvl72block::cli
