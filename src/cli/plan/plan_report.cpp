// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/plan_report.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace nvl72block::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> segment_lists(const Site& site, const Placement& placement) {
    std::vector<std::string> lists;
    for (std::size_t i = 0; i + 1 < placement.segment_begin.size(); ++i) {
        const auto begin = placement.segment_nodes.begin() + placement.segment_begin[i];
        const auto end = placement.segment_nodes.begin() + placement.segment_begin[i + 1];
        lists.push_back(site.nodes.hostlist(std::vector<NodeIndex>(begin, end)));
    }
    return lists;
}

std::string nodes_in_block(const Site& site, const Placement& placement, BlockIndex block) {
    std::vector<NodeIndex> nodes;
    site.topology().for_each(block, placement.nodes,
                             [&](NodeIndex node) { nodes.push_back(node); });
    return site.nodes.hostlist(nodes);
}

Json placement_json(const Site& site, const Placement& placement) {
    Json blocks = Json::array();
    for (const BlockIndex block : placement.blocks)
        blocks.push_back({{"name", site.topology().block_name(block)},
                          {"nodes", nodes_in_block(site, placement, block)}});
    return {{"fits", true},
            {"proven", placement.proven},
            {"nodes", site.nodes.hostlist(placement.nodes)},
            {"segments", segment_lists(site, placement)},
            {"blocks", std::move(blocks)}};
}

Json refusal_json(const Refusal& refusal) {
    return {{"fits", false},
            {"proven", refusal.proven},
            {"reason", sentence(refusal)},
            {"numbers", numbers_json(refusal)}};
}

std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string placement_text(const Site& site, const JobRequest& request,
                           const Placement& placement) {
    const std::vector<std::string> segments = segment_lists(site, placement);
    const std::uint32_t count = placement.nodes.count();
    const bool segmented = request.segment_size != 0 && count > request.segment_size;
    std::string text = fmt::format("fits: {}", counted(count, "node"));
    if (segmented) text += fmt::format(" as {}", counted(segments.size(), "segment"));
    text += placement.blocks.empty()
                ? " outside all blocks\n"
                : fmt::format(" in {}\n", counted(placement.blocks.size(), "base block"));
    text += fmt::format("  nodes      {}\n", site.nodes.hostlist(placement.nodes));
    if (segmented)
        for (std::size_t i = 0; i < segments.size(); ++i)
            text += fmt::format("  segment {:<2} {}\n", i + 1, segments[i]);
    for (const BlockIndex block : placement.blocks)
        text += fmt::format("  block      {}: {}\n", site.topology().block_name(block),
                            nodes_in_block(site, placement, block));
    if (!placement.proven)
        text += "  not proven search limit reached; a better placement may exist\n";
    return text;
}

}  // namespace

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
            {"detail", refusal.detail}};
}

Json plan_json(const Site& site, const JobRequest& request, const Answer& answer) {
    Json json = Json::object();
    if (request.line != 0) {
        json["line"] = request.line;
        json["request"] = request.text;
    }
    const auto* placement = std::get_if<Placement>(&answer);
    json.update(placement != nullptr ? placement_json(site, *placement)
                                     : refusal_json(std::get<Refusal>(answer)));
    return json;
}

std::string plan_text(const Site& site, const JobRequest& request, const Answer& answer) {
    std::string text;
    if (request.line != 0) text = fmt::format("line {}: {}\n", request.line, request.text);
    if (const auto* placement = std::get_if<Placement>(&answer))
        return text + placement_text(site, request, *placement);
    const auto& refusal = std::get<Refusal>(answer);
    return text + (request.line != 0 ? "does not fit: " : "") + sentence(refusal) + '\n';
}

}  // namespace nvl72block::cli
