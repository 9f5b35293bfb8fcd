// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/partition_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "text/excerpt.hpp"
#include "text/has_word.hpp"
#include "text/plural.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

/// Why the partition does not take a job of so many nodes; empty if it does.
std::string node_limit_broken(const PartitionRecord& partition, const JobRecord& job) {
    const std::uint32_t least = std::max(job.min_nodes, 1U);
    // A count that is left open follows the partition's limits.
    const std::uint32_t most =
        std::max(job.max_nodes == 0 ? partition.min_nodes : job.max_nodes, least);
    if (most < partition.min_nodes)
        return fmt::format("partition {} allows no jobs of fewer than {}", partition.name,
                           plural(partition.min_nodes, "node"));
    // Of several partitions, only the smallest MinNodes raises the least of a request.
    if (least < partition.min_nodes && job.partition.find(',') != std::string::npos)
        return fmt::format(
            "partition {} allows no jobs of fewer than {}; of several partitions, its MinNodes "
            "does not raise the request's {}: ask for {} or more",
            partition.name, plural(partition.min_nodes, "node"), least, partition.min_nodes);
    if (partition.max_nodes && least > *partition.max_nodes)
        return fmt::format("partition {} allows at most {} per job", partition.name,
                           plural(*partition.max_nodes, "node"));
    // Slurm does not reduce the range.
    if (partition.max_nodes && most > *partition.max_nodes)
        return fmt::format(
            "partition {} allows at most {} per job, and the request allows up to {}; ask for "
            "--nodes={}-{}",
            partition.name, plural(*partition.max_nodes, "node"), most, least,
            *partition.max_nodes);
    return {};
}

std::string time_limit_broken(const PartitionRecord& partition, const JobRecord& job) {
    const auto duration = job.time_min ? job.time_min : longest_run(job, partition);
    if (!partition.max_time || duration.value_or(0) <= *partition.max_time) return {};
    return fmt::format("partition {} allows a time limit of at most {}", partition.name,
                       duration_text(*partition.max_time));
}

std::string memory_limit_broken(const PartitionRecord& partition, const JobRecord& job) {
    if (partition.max_memory_per_node == 0 || job.min_memory_node <= partition.max_memory_per_node)
        return {};
    return fmt::format("partition {} allows at most {} MB of memory per node", partition.name,
                       partition.max_memory_per_node);
}

std::string limit_broken(const PartitionRecord& partition, const JobRecord& job) {
    for (const auto broken : {node_limit_broken, time_limit_broken, memory_limit_broken})
        if (std::string text = broken(partition, job); !text.empty()) return text;
    return {};
}

/// Of a job in the queue, the limit that slurmctld holds it to: its QOS or an operator's change may
/// override each of them.
std::string limit_in_force(const PartitionRecord& partition, const JobRecord& job) {
    if (job.id == 0) return limit_broken(partition, job);
    if (job.reason == "PartitionNodeLimit") return node_limit_broken(partition, job);
    if (job.reason == "PartitionTimeLimit") return time_limit_broken(partition, job);
    if (job.reason == "MaxMemPerLimit") return memory_limit_broken(partition, job);
    return {};
}

}  // namespace

const PartitionRecord* partition_of(const ClusterState& state, const JobRecord& job) {
    const std::string_view all = job.partition;
    const PartitionRecord* down = nullptr;
    for (std::string_view rest = all; !rest.empty();) {
        const PartitionRecord* partition = state.find_partition(take_item(rest));
        if (partition == nullptr || partition->nodes.count() < job.min_nodes ||
            !is_within_limits(*partition, job))
            continue;
        if (partition->up) return partition;
        if (down == nullptr) down = partition;
    }
    return down != nullptr ? down : state.find_partition(all.substr(0, all.find(',')));
}

bool is_of(const JobRecord& job, const PartitionRecord& partition) {
    return has_word(job.partition, partition.name);
}

std::optional<std::int64_t> longest_run(const JobRecord& job, const PartitionRecord& partition) {
    if (job.time_limit) return job.time_limit;
    return partition.default_time ? partition.default_time : partition.max_time;
}

std::optional<std::int64_t> shortest_run(const JobRecord& job, const PartitionRecord& partition) {
    const auto longest = longest_run(job, partition);
    if (!job.time_min || job.deadline) return longest;
    return std::min(*job.time_min, longest.value_or(*job.time_min));
}

bool has_whole_nodes(const JobRecord& job, const PartitionRecord& partition) {
    return job.exclusive_node || partition.exclusive_node;
}

bool has_whole_blocks(const JobRecord& job, const PartitionRecord& partition) {
    return job.exclusive_topo || partition.exclusive_topo;
}

std::string state_remark(const PartitionRecord& partition) {
    if (partition.closed)
        return fmt::format("partition {} is {}: it takes no new jobs{}", partition.name,
                           partition.up ? "drained" : "inactive",
                           partition.up ? "" : ", and nothing starts in it");
    return partition.up ? ""
                        : fmt::format("partition {} is down: nothing starts in it", partition.name);
}

std::vector<std::string> access_remarks(const PartitionRecord& partition, const JobRecord& job) {
    std::vector<std::string> remarks;
    const auto add = [&](std::string_view rule, const std::string& list, const std::string& own) {
        if (list.empty()) return;
        remarks.push_back(fmt::format("partition {} {} {}; {}", partition.name, rule, excerpt(list),
                                      own.empty() ? "whether that holds for the job is not known"
                                                  : "the job's is " + excerpt(own)));
    };
    const bool of_root = job.user == "root";
    if (!of_root) add("takes only jobs of groups", partition.allow_groups, "");
    // An account stands for those below it, too.
    if (!has_word(partition.allow_accounts, job.account))
        add("takes only jobs of accounts", partition.allow_accounts, job.account);
    if (partition.allow_accounts.empty())
        add("takes no jobs of accounts", partition.deny_accounts, job.account);
    if (!has_word(partition.allow_qos, job.qos))
        add("takes only jobs with QOS", partition.allow_qos, job.qos);
    if (partition.allow_qos.empty() && (job.qos.empty() || has_word(partition.deny_qos, job.qos)))
        add("takes no jobs with QOS", partition.deny_qos, job.qos);
    add("takes only jobs submitted on", partition.alloc_nodes, "");
    if (partition.root_only && !of_root) add("takes only jobs submitted by", "root", job.user);
    return remarks;
}

bool is_within_limits(const PartitionRecord& partition, const JobRecord& job) {
    return limit_broken(partition, job).empty();
}

Refusal refusal_of(const JobRecord& job, std::string detail, bool permanent) {
    Refusal refusal;
    refusal.reason = RefusalReason::bad_request;
    refusal.permanent = permanent;
    refusal.wanted_nodes = std::max(job.min_nodes, 1U);
    refusal.detail = std::move(detail);
    return refusal;
}

std::optional<Refusal> refused_by_partition(const PartitionRecord& partition,
                                            const JobRecord& job) {
    std::string limit = limit_in_force(partition, job);
    if (limit.empty()) return std::nullopt;
    if (!job.qos.empty()) limit += fmt::format("; QOS {} may override that", excerpt(job.qos));
    return refusal_of(job, std::move(limit), job.qos.empty());
}

}  // namespace nvl72block::cli
