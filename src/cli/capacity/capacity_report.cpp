// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/capacity/capacity_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cli/fit_text.hpp"
#include "cli/question/left_out.hpp"
#include "cli/question/partition_rules.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string duration_words(const Viewer& viewer) {
    return viewer.duration ? fmt::format("of up to {}", duration_text(*viewer.duration))
                           : std::string("without a time limit");
}

/// What the numbers leave out, or what is not considered.
std::vector<std::string> remarks_of(const JobQuestion& question) {
    std::vector<std::string> remarks = question.remarks;
    for (const std::string& remark : {state_remark(*question.viewer.partition),
                                      too_hopeful(question), too_pessimistic(question)})
        if (!remark.empty()) remarks.push_back(remark);
    return remarks;
}

std::string node_lines(const ClusterState& state, const JobQuestion& question,
                       const Availability& nodes) {
    const Viewer& viewer = question.viewer;
    const std::uint32_t total =
        nodes.free.count() + nodes.busy.count() + nodes.drained.count() + nodes.reserved.count();
    std::string text = fmt::format("cluster {}, Slurm {}, {}\n", state.cluster_name,
                                   state.slurm_version, time_text(state.now));
    text += fmt::format("partition {}, jobs of whole nodes {}\n", viewer.partition->name,
                        duration_words(viewer));
    text += fmt::format("{}: {} free, {} busy, {} out of service, {} reserved\n",
                        plural(total, "node"), nodes.free.count(), nodes.busy.count(),
                        nodes.drained.count(), nodes.reserved.count());
    if (const std::uint32_t planned = nodes.planned.count(); planned > 0)
        text += fmt::format(
            "{} of the free nodes {} planned for pending jobs: other jobs start "
            "there only if they end in time\n",
            planned, planned == 1 ? "is" : "are");
    if (const std::uint32_t shared = nodes.shared.count(); shared > 0)
        text += fmt::format(
            "{} of the busy nodes {} used in part; jobs that share nodes may "
            "still start there\n",
            shared, shared == 1 ? "is" : "are");
    for (const std::string& remark : remarks_of(question)) text += remark + '\n';
    return text;
}

/// As fit_text(), for narrow columns.
std::string table_text(const FitCount& fit) {
    return fmt::format("{}{}", fit.exact ? "" : ">=", fit.count);
}

std::string segment_table(const Topology& topology, const Capacity& capacity, unsigned width) {
    constexpr unsigned before = 18;
    constexpr unsigned column = 16;
    const std::size_t levels = std::min<std::size_t>(
        topology.levels().size(), (std::max(width, before + column) - before) / column);
    std::string text = fmt::format("{:>8}{:>10}", "segment", "in all");
    for (const Level& level : topology.levels().first(levels))
        text += fmt::format("{:>{}}", fmt::format("in one of {}", level.nodes), column);
    text += '\n';
    for (const SegmentCapacity& segments : capacity.segments) {
        text += fmt::format("{:>8}{:>10}", segments.size, table_text(segments.all));
        for (std::size_t level = 0; level < levels; ++level)
            text += fmt::format("{:>{}}", table_text(segments.in_one_block[level]), column);
        text += '\n';
    }
    return text;
}

std::string fragmentation_line(const Headroom& headroom) {
    std::string text = fmt::format("fragmentation: {} = {} not free", headroom.fragmentation_usable,
                                   plural(headroom.levels.front().lost_nodes, "node"));
    for (const LevelBlocks& level : headroom.levels)
        text += fmt::format(" + {} broken {} of {}", level.broken,
                            level.broken == 1 ? "block" : "blocks", level.block_size);
    return text + fmt::format("; {} as Slurm's topology/block computes it\n",
                              headroom.fragmentation_stock);
}

/// Rounded, so that shares are easy to read.
std::uint64_t percent(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : (part * 200 + all) / (all * 2);
}

std::string_view policy_name(const ClusterState& state) {
    for (const auto& each : policy_values)
        if (each.value == state.options.policy) return each.name;
    return "";
}

/// What the jobs of the partition ask for, the kinds with most nodes.
std::string mix_lines(const JobMix& mix) {
    constexpr std::size_t most_listed = 8;
    if (mix.shares.empty()) return "jobs of the partition: none\n";
    std::string text = fmt::format("jobs of the partition: {} wanted by pending ones, {} in use:\n",
                                   plural(mix.pending_nodes, "node"), mix.running_nodes);
    const std::size_t listed = std::min(most_listed, mix.shares.size());
    std::uint64_t rest = mix.nodes();
    for (std::size_t i = 0; i < listed; ++i) {
        const JobMixShare& share = mix.shares[i];
        rest -= share.nodes();
        text += fmt::format(
            "{:>5} %  {} of {}: {} waiting, {} running\n", percent(share.nodes(), mix.nodes()),
            share.segments ? "segments" : "jobs without segments,",
            share.segments ? fmt::format("{}", share.size) : plural(share.size, "node"),
            plural(share.pending_jobs, "job"), share.running_jobs);
    }
    if (mix.shares.size() > listed)
        text += fmt::format("{:>5} %  {} other sizes\n", percent(rest, mix.nodes()),
                            mix.shares.size() - listed);
    return text;
}

/// What decides where jobs go. Only nvl72block heeds Nvl72Policy.
std::string preference_line(const ClusterState& state) {
    return fmt::format(
        "planning size: {}; plugin: {}{}Nvl72Policy={}\n",
        plural(state.topology().planning_size(), "node"), state.topology_plugin,
        state.runs_nvl72block() ? ", " : "; the numbers are those of nvl72block with ",
        policy_name(state));
}

Json mix_json(const JobMix& mix) {
    Json shares = Json::array();
    for (const JobMixShare& each : mix.shares)
        shares.push_back({{"segments", each.segments},
                          {"size", each.size},
                          {"pending_jobs", each.pending_jobs},
                          {"pending_nodes", each.pending_nodes},
                          {"running_jobs", each.running_jobs},
                          {"running_nodes", each.running_nodes}});
    return {{"pending_nodes", mix.pending_nodes},
            {"running_nodes", mix.running_nodes},
            {"shares", std::move(shares)}};
}

Json set_json(const ClusterState& state, const NodeSet& nodes) {
    return {{"count", nodes.count()}, {"nodes", state.cluster.nodes.hostlist(nodes)}};
}

}  // namespace

std::string capacity_text(const ClusterState& state, const JobQuestion& question,
                          const Availability& nodes, const Capacity& capacity, const JobMix& mix,
                          unsigned width) {
    const PartitionRecord& partition = *question.viewer.partition;
    std::string text = node_lines(state, question, nodes);
    text += "\nsegments that one job could get now:\n";
    text += segment_table(state.topology(), capacity, width);
    const FitCount& largest = capacity.headroom.largest_job;
    text += fmt::format("largest job without segments: {} {}\n", fit_text(largest),
                        largest.count == 1 ? "node" : "nodes");
    if (capacity.free_outside > 0)
        text += fmt::format("free in no block: {}\n", plural(capacity.free_outside, "node"));
    if (partition.max_nodes)
        text += fmt::format("partition {} allows {} per job\n", partition.name,
                            plural(*partition.max_nodes, "node"));
    text += "whole blocks:";
    for (const LevelBlocks& level : capacity.headroom.levels)
        text += fmt::format("{} {} of {} of size {}",
                            &level == capacity.headroom.levels.data() ? "" : ",", level.whole,
                            level.blocks(), level.block_size);
    text += '\n' + fragmentation_line(capacity.headroom) + '\n';
    return text + mix_lines(mix) + preference_line(state);
}

Json capacity_json(const ClusterState& state, const JobQuestion& question,
                   const Availability& nodes, const Capacity& capacity, const JobMix& mix) {
    const Viewer& viewer = question.viewer;
    Json segments = Json::array();
    for (const SegmentCapacity& each : capacity.segments) {
        Json levels = Json::array();
        for (std::size_t level = 0; level < each.in_one_block.size(); ++level) {
            Json& block = levels.emplace_back();
            block["block_size"] = state.topology().levels()[level].nodes;
            add_fit(block, "segments", each.in_one_block[level]);
        }
        Json& entry = segments.emplace_back();
        entry["size"] = each.size;
        add_fit(entry, "count", each.all);
        entry["in_one_block"] = std::move(levels);
    }
    Json levels = Json::array();
    for (const LevelBlocks& level : capacity.headroom.levels)
        levels.push_back({{"block_size", level.block_size},
                          {"blocks", level.blocks()},
                          {"whole", level.whole},
                          {"broken", level.broken}});
    Json json = {{"cluster", state.cluster_name},
                 {"slurm_version", state.slurm_version},
                 {"time", time_text(state.now)},
                 {"partition", viewer.partition->name}};
    json["duration"] = viewer.duration ? Json(*viewer.duration) : Json(nullptr);
    json["remarks"] = remarks_of(question);
    json["free"] = set_json(state, nodes.free);
    json["busy"] = set_json(state, nodes.busy);
    json["out_of_service"] = set_json(state, nodes.drained);
    json["reserved"] = set_json(state, nodes.reserved);
    json["planned"] = set_json(state, nodes.planned);
    json["segments"] = std::move(segments);
    add_fit(json, "largest_job", capacity.headroom.largest_job, "largest_job_at_least");
    json["levels"] = std::move(levels);
    json["fragmentation"] = {{"usable", capacity.headroom.fragmentation_usable},
                             {"stock", capacity.headroom.fragmentation_stock},
                             {"nodes_not_free", capacity.headroom.levels.front().lost_nodes}};
    json["demand"] = mix_json(mix);
    json["planning"] = {{"plugin", state.topology_plugin},
                        {"policy", policy_name(state)},
                        {"block_size", state.topology().planning_size()}};
    return json;
}

}  // namespace nvl72block::cli
