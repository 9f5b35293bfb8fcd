// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/plan_report.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> segment_lists(const LoadedCluster& loaded, const Placement& placement) {
    std::vector<std::string> lists;
    for (std::size_t i = 0; i + 1 < placement.segment_begin.size(); ++i) {
        const auto begin = placement.segment_nodes.begin() + placement.segment_begin[i];
        const auto end = placement.segment_nodes.begin() + placement.segment_begin[i + 1];
        lists.push_back(loaded.nodes.hostlist(std::vector<NodeIndex>(begin, end)));
    }
    return lists;
}

std::string nodes_in_block(const LoadedCluster& loaded, const Placement& placement,
                           BlockIndex block) {
    std::vector<NodeIndex> nodes;
    loaded.topology().for_each(block, placement.nodes,
                               [&](NodeIndex node) { nodes.push_back(node); });
    return loaded.nodes.hostlist(nodes);
}

/// Where cliques are enforced: how many the job uses, and its nodes that are in none.
Json cliques_json(const Topology& topology, const Placement& placement) {
    const Islands* islands = topology.islands();
    if (islands == nullptr) return {{"enforced", false}};
    std::set<std::pair<BlockIndex, std::uint32_t>> used;
    std::uint32_t without = 0;
    placement.nodes.for_each([&](NodeIndex node) {
        if (islands->island_of[node] == no_island)
            ++without;
        else
            used.emplace(topology.block_of(node), islands->island_of[node]);
    });
    return {{"enforced", true}, {"used", used.size()}, {"nodes_without_clique", without}};
}

Json placement_json(const LoadedCluster& loaded, const Placement& placement) {
    Json blocks = Json::array();
    for (const BlockIndex block : placement.blocks)
        blocks.push_back({{"name", loaded.topology().block_name(block)},
                          {"nodes", nodes_in_block(loaded, placement, block)},
                          {"node_count", loaded.topology().count(block, placement.nodes)}});
    const std::vector<std::string> segments = segment_lists(loaded, placement);
    Json counts = {{"nodes", placement.nodes.count()},
                   {"segments", segments.size()},
                   {"base_blocks", placement.blocks.size()},
                   {"broken_blocks", placement.broken_blocks}};
    return {{"fits", true},
            {"proven", placement.proven},
            {"nodes", loaded.nodes.hostlist(placement.nodes)},
            {"segments", segments},
            {"blocks", std::move(blocks)},
            {"counts", std::move(counts)},
            {"cliques", cliques_json(loaded.topology(), placement)}};
}

Json refusal_cliques_json(const Refusal& refusal) {
    if (!refusal.cliques_enforced) return {{"enforced", false}};
    return {{"enforced", true},
            {"best_usable", refusal.best_island_free},
            {"nodes_without_clique", refusal.without_island}};
}

/// Every number of a refusal under the name that it has in the engine.
Json numbers_json(const Refusal& refusal) {
    Json levels = Json::array();
    for (const LevelOffer& level : refusal.levels)
        levels.push_back({{"block_size", level.block_size},
                          {"best_free", level.best_free},
                          {"blocks_whole", level.blocks_whole}});
    return {{"code", to_string(refusal.reason)},
            {"permanent", refusal.permanent},
            {"proven", refusal.proven},
            {"wanted_nodes", refusal.wanted_nodes},
            {"usable_nodes", refusal.usable_nodes},
            {"usable_outside", refusal.usable_outside},
            {"drained_nodes", refusal.drained_nodes},
            {"excluded_nodes", refusal.excluded_nodes},
            {"segment_size", refusal.segment_size},
            {"segments_wanted", refusal.segments_wanted},
            {"segments_fit", refusal.segments_fit},
            {"segments_fit_exact", refusal.segments_fit_exact},
            {"level_size", refusal.level_size},
            {"best_fit_nodes", refusal.best_fit_nodes},
            {"max_base_blocks", refusal.max_base_blocks},
            {"needed_base_blocks", refusal.needed_base_blocks},
            {"wanted_cpus", refusal.wanted_cpus},
            {"best_cpus", refusal.best_cpus},
            {"wanted_gpus", refusal.wanted_gpus},
            {"best_gpus", refusal.best_gpus},
            {"levels", std::move(levels)},
            {"cliques", refusal_cliques_json(refusal)},
            {"detail", refusal.detail}};
}

Json refusal_json(const Refusal& refusal) {
    return {{"fits", false},
            {"proven", refusal.proven},
            {"reason", sentence(refusal)},
            {"numbers", numbers_json(refusal)}};
}

std::string placement_text(const LoadedCluster& loaded, const JobRequest& request,
                           const Placement& placement) {
    const std::vector<std::string> segments = segment_lists(loaded, placement);
    const std::uint32_t count = placement.nodes.count();
    const bool segmented = request.segment_size != 0 && count > request.segment_size;
    std::string text = fmt::format("fits: {}", plural(count, "node"));
    if (segmented) text += fmt::format(" as {}", plural(segments.size(), "segment"));
    text += placement.blocks.empty()
                ? " outside all blocks\n"
                : fmt::format(" in {}\n", plural(placement.blocks.size(), "base block"));
    text += fmt::format("  nodes      {}\n", loaded.nodes.hostlist(placement.nodes));
    if (segmented)
        for (std::size_t i = 0; i < segments.size(); ++i)
            text += fmt::format("  segment {:<2} {}\n", i + 1, segments[i]);
    for (const BlockIndex block : placement.blocks)
        text += fmt::format("  block      {}: {}\n", loaded.topology().block_name(block),
                            nodes_in_block(loaded, placement, block));
    if (!placement.proven)
        text += "  not proven search limit reached; a better placement may exist\n";
    return text;
}

}  // namespace

Json plan_json(const LoadedCluster& loaded, const JobRequest& request, const Answer& answer) {
    Json json = Json::object();
    if (request.line != 0) {
        json["line"] = request.line;
        json["request"] = request.text;
    }
    const auto* placement = std::get_if<Placement>(&answer);
    json.update(placement != nullptr ? placement_json(loaded, *placement)
                                     : refusal_json(std::get<Refusal>(answer)));
    return json;
}

std::string plan_text(const LoadedCluster& loaded, const JobRequest& request,
                      const Answer& answer) {
    std::string text;
    if (request.line != 0) text = fmt::format("line {}: {}\n", request.line, request.text);
    if (const auto* placement = std::get_if<Placement>(&answer))
        return text + placement_text(loaded, request, *placement);
    const auto& refusal = std::get<Refusal>(answer);
    return text + (request.line != 0 ? "does not fit: " : "") + sentence(refusal) + '\n';
}

}  // namespace nvl72block::cli
