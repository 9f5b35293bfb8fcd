// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/queue_order.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <tuple>

#include "cli/question/partition_rules.hpp"

namespace nvl72block::cli {
namespace {

bool is_in_line(const ClusterState& state, const JobRecord& job) {
    return job.state == JobState::pending && job.priority > 0 && job.dependency.empty() &&
           first_start(job, state.now) == state.now && partition_of(state, job) != nullptr;
}

bool comes_first(std::uint64_t tier, const JobRecord& job, std::uint64_t other_tier,
                 const JobRecord& other) {
    return std::tuple(other_tier, other.priority, job.id) <
           std::tuple(tier, job.priority, other.id);
}

/// Beginnings of the reasons that an evaluation for a start gives, besides Resources.
constexpr std::array<std::string_view, 6> evaluated{
    "No_suitable_topology",           "Insufficient_resources_in_topology",
    "No_available_nodes_in_topology", "Required_nodes_",
    "Weight-based_selection_",        "Exceeded_maximum_node_limit_"};
/// Of those that come without one.
constexpr std::array<std::string_view, 4> about_nodes{"Priority", "None", "ReqNodeNotAvail",
                                                      "Nodes_required_for_job_are_DOWN"};

template <std::size_t count>
bool begins_with_one(std::string_view reason, const std::array<std::string_view, count>& all) {
    return std::ranges::any_of(
        all, [&](std::string_view beginning) { return reason.starts_with(beginning); });
}

bool share_nodes(const PartitionRecord& one, const PartitionRecord& other) {
    return &one == &other || count_of_both(one.nodes, other.nodes) > 0;
}

}  // namespace

SlurmTime first_start(const JobRecord& job, SlurmTime now) {
    return std::max(job.eligible.value_or(now), now);
}

std::vector<const JobRecord*> jobs_in_line(const ClusterState& state) {
    std::vector<std::pair<std::uint64_t, const JobRecord*>> jobs;
    for (const JobRecord& job : state.jobs)
        if (is_in_line(state, job)) jobs.emplace_back(partition_of(state, job)->tier, &job);
    std::ranges::sort(jobs, [](const auto& one, const auto& other) {
        return comes_first(one.first, *one.second, other.first, *other.second);
    });
    std::vector<const JobRecord*> ordered;
    ordered.reserve(jobs.size());
    for (const auto& [tier, job] : jobs) ordered.push_back(job);
    return ordered;
}

bool waits_for_nodes(const ClusterState& state, const JobRecord& job) {
    return first_start(job, state.now) == state.now && !job.reason.starts_with("Licenses");
}

bool was_evaluated(const JobRecord& job) {
    // Without --licenses, the plugin lets the job wait: its search has ended early.
    if (job.reason == "Licenses") return job.licenses.empty();
    return job.reason == "Resources" || begins_with_one(job.reason, evaluated);
}

bool nothing_else_holds(const JobRecord& job) {
    return was_evaluated(job) || begins_with_one(job.reason, about_nodes);
}

std::vector<const JobRecord*> jobs_before(const ClusterState& state, const JobRecord& job,
                                          const PartitionRecord& partition) {
    std::vector<const JobRecord*> jobs = jobs_in_line(state);
    std::erase_if(jobs, [&](const JobRecord* other) {
        const PartitionRecord& its =
            is_of(*other, partition) ? partition : *partition_of(state, *other);
        return other->id == job.id || !comes_first(its.tier, *other, partition.tier, job) ||
               !share_nodes(its, partition);
    });
    return jobs;
}

}  // namespace nvl72block::cli
