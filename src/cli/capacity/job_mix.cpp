// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/capacity/job_mix.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"

namespace nvl72block::cli {

JobMix job_mix_of(const ClusterState& state, const PartitionRecord& partition) {
    std::map<std::pair<bool, std::uint32_t>, JobMixShare> by_kind;
    JobMix mix;
    for (const JobRecord& job : state.jobs) {
        const bool waits = job.state == JobState::pending;
        if ((!waits && !holds_nodes(job)) || !is_of(job, partition)) continue;
        const std::uint32_t nodes = waits ? job.min_nodes : job.nodes.count();
        const bool segments = job.segment_size > 0;
        const std::uint32_t size = segments ? job.segment_size : nodes;
        JobMixShare& share = by_kind[{segments, size}];
        share.segments = segments;
        share.size = size;
        if (waits) {
            const std::uint32_t tasks = job.tasks_of_array();
            share.pending_jobs += tasks;
            share.pending_nodes += std::uint64_t{nodes} * tasks;
            mix.pending_nodes += std::uint64_t{nodes} * tasks;
        } else {
            ++share.running_jobs;
            share.running_nodes += nodes;
            mix.running_nodes += nodes;
        }
    }
    for (auto& [kind, share] : by_kind) mix.shares.push_back(share);
    std::ranges::stable_sort(mix.shares, std::greater<>(), &JobMixShare::nodes);
    return mix;
}

}  // namespace nvl72block::cli
