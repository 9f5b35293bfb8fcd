// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/segment_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "text/plural.hpp"
#include "throughput/placement_effect.hpp"

namespace nvl72block::cli {
namespace {

/// The first count of nodes for which NVIDIA advises segments at all.
constexpr std::uint32_t least_segmented_job = 8;
/// Fewer jobs tell nothing about a default.
constexpr std::size_t least_sizes_of_default = 3;

/// The count nearest to `nodes`, the smaller of two, whose largest segment takes three quarters of
/// a rack or more.
BetterSegment nearest_useful(std::uint32_t nodes, std::uint32_t rack_nodes) {
    for (std::uint32_t distance = 1;; ++distance)
        for (const std::uint32_t count :
             {nodes - std::min(distance, nodes - 1), nodes + distance}) {
            const std::uint32_t divisor = throughput::largest_group(count, rack_nodes);
            if (count > rack_nodes && 4 * divisor >= 3 * rack_nodes) return {count, divisor};
        }
}

bool has_nodes(const JobRecord& job) {
    return job.state == JobState::pending || job.state == JobState::running ||
           job.state == JobState::suspended;
}

/// Jobs of one partition with one segment.
struct Group {
    std::uint32_t jobs = 0;
    std::uint32_t nodes = 0;  ///< of the largest that could do better
    std::set<std::uint32_t> sizes;
};

}  // namespace

std::optional<BetterSegment> better_segment(std::uint32_t nodes, std::uint32_t segment,
                                            std::uint32_t rack_nodes) {
    if (segment == 0 || segment >= nodes || segment >= least_useful_segment) return std::nullopt;
    if (rack_nodes <= least_useful_segment) return std::nullopt;
    if (segment == 1 && nodes < least_segmented_job) return std::nullopt;
    if (nodes <= rack_nodes) return BetterSegment{nodes, 0};
    const std::uint32_t divisor = throughput::largest_group(nodes, rack_nodes);
    if (divisor >= least_useful_segment) return BetterSegment{nodes, divisor};
    return nearest_useful(nodes, rack_nodes);
}

std::vector<SegmentFinding> segment_findings(const std::vector<JobRequest>& requests,
                                             std::uint32_t rack_nodes) {
    std::vector<SegmentFinding> findings;
    for (const JobRequest& request : requests) {
        if (request.nodes.least != request.nodes.most) continue;
        const auto better = better_segment(request.nodes.least, request.segment_size, rack_nodes);
        if (better)
            findings.push_back({request.location, 1, request.nodes.least, request.segment_size,
                                rack_nodes, *better, false});
    }
    return findings;
}

std::vector<SegmentFinding> segment_findings(const std::vector<JobRecord>& jobs,
                                             std::uint32_t rack_nodes) {
    std::map<std::pair<std::string, std::uint32_t>, Group> groups;
    std::map<std::string, std::set<std::uint32_t>> segments;  // of each partition's larger jobs
    for (const JobRecord& job : jobs) {
        if (!has_nodes(job)) continue;
        if (job.min_nodes > job.segment_size) segments[job.partition].insert(job.segment_size);
        if (!better_segment(job.min_nodes, job.segment_size, rack_nodes)) continue;
        Group& group = groups[{job.partition, job.segment_size}];
        group.jobs += job.tasks_of_array();
        group.nodes = std::max(group.nodes, job.min_nodes);
        group.sizes.insert(job.min_nodes);
    }
    std::vector<SegmentFinding> findings;
    for (const auto& [key, group] : groups)
        findings.push_back(
            {"partition " + key.first, group.jobs, group.nodes, key.second, rack_nodes,
             *better_segment(group.nodes, key.second, rack_nodes),
             segments[key.first].size() == 1 && group.sizes.size() >= least_sizes_of_default});
    return findings;
}

std::string sentence(const SegmentFinding& finding) {
    const bool several = finding.jobs > 1;
    std::string text = fmt::format(
        "{}: {}{} with --segment={} may be placed in pieces of {}", finding.where,
        several ? plural(finding.jobs, "job") + " of up to " : "a job of ",
        plural(finding.nodes, "node"), finding.segment, plural(finding.segment, "node"));
    if (finding.better.segment == 0)
        text += fmt::format(" although one rack of {} holds {}; leave out --segment",
                            plural(finding.rack_nodes, "node"), several ? "each" : "it");
    else if (finding.better.nodes == finding.nodes)
        text += fmt::format("; --segment={} keeps {} together", finding.better.segment,
                            plural(finding.better.segment, "node"));
    else
        text += fmt::format(
            "; {} is divisible by no segment of {} to {} nodes, {} can have "
            "--segment={}",
            plural(finding.nodes, "node"), least_useful_segment, finding.rack_nodes,
            plural(finding.better.nodes, "node"), finding.better.segment);
    if (finding.looks_like_default)
        text += fmt::format(
            "; jobs of every size in this partition have this segment: if a job_submit or "
            "cli_filter plugin, or SBATCH_SEGMENT_SIZE, sets it, remove that default");
    return text;
}

}  // namespace nvl72block::cli
