// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/capacity/job_mix.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "text/has_word.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

bool has_nodes(const JobRecord& job) {
    return (job.state == JobState::running || job.state == JobState::suspended ||
            job.state == JobState::completing) &&
           !job.nodes.empty();
}

}  // namespace

std::uint32_t task_count(std::string_view tasks) {
    tasks = tasks.substr(0, tasks.find('%'));
    std::uint64_t count = 0;
    while (!tasks.empty()) {
        const std::string_view part = tasks.substr(0, tasks.find(','));
        tasks.remove_prefix(std::min(part.size() + 1, tasks.size()));
        const std::size_t colon = part.find(':');
        const std::string_view range = part.substr(0, colon);
        const std::size_t dash = range.find('-');
        const auto first = number_of<std::uint32_t>(range.substr(0, dash));
        const auto last = dash == std::string_view::npos
                              ? first
                              : number_of<std::uint32_t>(range.substr(dash + 1));
        const auto step = colon == std::string_view::npos
                              ? std::uint32_t{1}
                              : number_of<std::uint32_t>(part.substr(colon + 1)).value_or(0);
        if (!first || !last || *last < *first || step == 0) return 1;
        count += (*last - *first) / step + 1;
    }
    // A pending array has at most so many tasks that fit the queue.
    return count == 0 || count > (1U << 24) ? 1 : static_cast<std::uint32_t>(count);
}

JobMix job_mix_of(const ClusterState& state, const PartitionRecord& partition) {
    std::map<std::pair<bool, std::uint32_t>, JobMixShare> by_kind;
    JobMix mix;
    for (const JobRecord& job : state.jobs) {
        const bool waits = job.state == JobState::pending;
        if ((!waits && !has_nodes(job)) || !has_word(job.partition, partition.name)) continue;
        const std::uint32_t nodes = waits ? job.min_nodes : job.nodes.count();
        const bool segments = job.segment_size > 0;
        const std::uint32_t size = segments ? job.segment_size : nodes;
        JobMixShare& share = by_kind[{segments, size}];
        share.segments = segments;
        share.size = size;
        if (waits) {
            const std::uint32_t tasks = job.array_id != 0 ? task_count(job.array_tasks) : 1;
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
