// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/show_report.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cli/fit_text.hpp"

namespace nvl72block::cli {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const StateCounts& counts) {
    return {{"total", counts.total()},
            {"free", counts.free},
            {"busy", counts.busy},
            {"drained", counts.drained},
            {"reserved", counts.reserved}};
}

/// One row of nodes: their names, counts and glyphs in the order of the map.
Json nodes_json(const LoadedCluster& loaded, const NodeStates& states,
                const std::vector<NodeIndex>& nodes) {
    StateCounts counts;
    std::string map;
    for (const NodeIndex node : nodes) {
        states.count(node, counts);
        map += states.glyph(node);
    }
    Json json = {{"nodes", loaded.nodes.hostlist(nodes)}};
    json.update(counts_json(counts));
    json["map"] = map;
    return json;
}

Json blocks_json(const LoadedCluster& loaded, const NodeStates& states) {
    Json blocks = Json::array();
    for (BlockIndex block = 0; block < loaded.topology().block_count(); ++block) {
        if (loaded.topology().is_hole(block)) continue;
        std::vector<NodeIndex> nodes;
        for (const NodeRange& range : loaded.topology().ranges(block))
            for (NodeIndex node = range.begin; node < range.end; ++node) nodes.push_back(node);
        Json json = {{"name", loaded.topology().block_name(block)}};
        json.update(nodes_json(loaded, states, nodes));
        blocks.push_back(std::move(json));
    }
    return blocks;
}

Json outside_json(const LoadedCluster& loaded, const NodeStates& states) {
    std::vector<NodeIndex> nodes;
    for (NodeIndex node = 0; node < loaded.nodes.size(); ++node)
        if (loaded.topology().block_of(node) == no_block) nodes.push_back(node);
    return nodes_json(loaded, states, nodes);
}

Json jobs_json(const LoadedCluster& loaded, const NodeStates& states) {
    Json jobs = Json::array();
    for (std::size_t i = 0; i < states.jobs().size(); ++i)
        jobs.push_back({{"name", states.jobs()[i].name},
                        {"glyph", std::string(1, states.job_glyph(i))},
                        {"nodes", loaded.nodes.hostlist(states.jobs()[i].nodes)}});
    return jobs;
}

Json demand_json(const std::optional<DemandInForce>& known) {
    if (!known) return nullptr;
    Json sizes = Json::array();
    for (const DemandSize& size : known->demand.sizes())
        sizes.push_back({{"nodes", size.nodes}, {"share", size.share / 1000.0}});
    return {{"sizes", std::move(sizes)}, {"source", known->source}};
}

}  // namespace

std::string summary_text(const ShownCluster& shown, const Headroom& headroom) {
    const StateCounts counts = shown.states.count_all();
    std::string text = fmt::format("{} nodes: {} free, {} busy, {} drained", counts.total(),
                                   counts.free, counts.busy, counts.drained);
    if (counts.reserved > 0) text += fmt::format(", {} reserved", counts.reserved);
    text += "\nwhole blocks:";
    for (const LevelBlocks& level : headroom.levels)
        text += fmt::format("{} {} of {} of size {}", &level == headroom.levels.data() ? "" : ",",
                            level.whole, level.blocks(), level.block_size);
    text += fmt::format("\nlargest job without segments that fits now: {} nodes\n",
                        fit_text(headroom.largest_job));
    text += "idle segments, size x count:";
    for (const IdleSegments& segments : headroom.idle_segments)
        text += fmt::format("  {} x {}", segments.size, fit_text(segments.fit));
    text += fmt::format(
        "\nfragmentation: {} in usable sizes, {} as Slurm's topology/block computes it\n",
        headroom.fragmentation_usable, headroom.fragmentation_stock);
    if (shown.demand) text += fmt::format("keeps slots for: {}\n", to_string(*shown.demand));
    return text;
}

Json show_json(const ShownCluster& shown, const Headroom& headroom) {
    const LoadedCluster& loaded = shown.loaded;
    const NodeStates& states = shown.states;
    Json levels = Json::array();
    for (const LevelBlocks& level : headroom.levels)
        levels.push_back(
            {{"block_size", level.block_size}, {"blocks", level.blocks()}, {"whole", level.whole}});
    Json segments = Json::array();
    for (const IdleSegments& idle : headroom.idle_segments) {
        Json& entry = segments.emplace_back();
        entry["size"] = idle.size;
        add_fit(entry, "count", idle.fit);
    }
    Json json = {{"nodes", counts_json(states.count_all())},
                 {"blocks", blocks_json(loaded, states)},
                 {"outside", outside_json(loaded, states)},
                 {"jobs", jobs_json(loaded, states)},
                 {"levels", std::move(levels)}};
    add_fit(json, "largest_job", headroom.largest_job, "largest_job_at_least");
    json["idle_segments"] = std::move(segments);
    json["fragmentation"] = {{"usable", headroom.fragmentation_usable},
                             {"stock", headroom.fragmentation_stock}};
    json["demand"] = demand_json(shown.demand);
    return json;
}

}  // namespace nvl72block::cli
