// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace nvl72block::cli {
namespace {

std::string plural(std::size_t count, std::string_view one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string block_line(const std::string& name, const std::string& nodes) {
    return nodes.empty() ? "BlockName=" + name : fmt::format("BlockName={} Nodes={}", name, nodes);
}

std::string sizes_line(const std::vector<std::uint32_t>& sizes) {
    return fmt::format("BlockSizes={}", fmt::join(sizes, ","));
}

std::string size_comment(const BlockPlan& plan) {
    std::string text =
        fmt::format("# BlockSizes: {} of {} have {}, ", plan.usual_blocks,
                    plural(plan.blocks.size(), "block"), plural(plan.usual_size, "node"));
    if (plan.sizes_kept)
        return text +
               (plan.sizes.front() == plan.usual_size
                    ? "the planning size.\n"
                    : fmt::format("but the planning size {} is kept.\n", plan.sizes.front()));
    text += "so jobs are planned with that";
    if (plan.sizes.size() == 1) return text + ".\n";
    std::vector<std::uint32_t> joined;
    for (std::size_t i = 1; i < plan.sizes.size(); ++i)
        joined.push_back(plan.sizes[i] / plan.sizes.front());
    return text + fmt::format(";\n# the larger sizes join {} blocks that follow each other.\n",
                              fmt::join(joined, ", "));
}

/// Nodes that are in no block of the plan, by the reason.
std::string outside_comment(const BlockPlan& plan, const NodeTable& nodes,
                            const CliqueMap& cliques) {
    NodeSet inside(nodes.size());
    for (const PlannedBlock& block : plan.blocks)
        for (const NodeIndex node : block.nodes) inside.set(node);
    std::map<CliqueProblem, std::vector<NodeIndex>> outside;
    for (NodeIndex node = 0; node < nodes.size(); ++node)
        if (!inside.test(node)) outside[cliques.problem(node)].push_back(node);
    std::string text;
    for (const auto& [problem, list] : outside)
        text += fmt::format("# {} in no block, {}: {}\n", plural(list.size(), "node"),
                            to_string(problem), nodes.hostlist(list));
    return text;
}

}  // namespace

std::string topology_conf(const BlockPlan& plan, const NodeTable& nodes, const CliqueMap& cliques) {
    std::string text = fmt::format("# One block per NVLink clique: {}, {} with a clique.\n",
                                   plural(cliques.clique_count(), "clique"),
                                   plural(cliques.nodes_with_clique(), "node"));
    text += size_comment(plan) + outside_comment(plan, nodes, cliques);
    for (const PlannedBlock& block : plan.blocks) {
        text += block.clique == no_clique ? fmt::format("# {} has no clique\n", block.name)
                                          : fmt::format("# {}={}\n", block.name,
                                                        to_string(cliques.identity(block.clique)));
        text += block_line(block.name, nodes.hostlist(block.nodes)) + '\n';
    }
    return text + sizes_line(plan.sizes) + '\n';
}

std::string feature_lines(const BlockPlan& plan, const NodeTable& nodes, const CliqueMap& cliques,
                          const std::string& prefix) {
    std::string text;
    for (const PlannedBlock& block : plan.blocks) {
        std::vector<NodeIndex> members;
        for (const NodeIndex node : block.nodes)
            if (cliques.clique_of(node) != no_clique) members.push_back(node);
        if (!members.empty())
            text += fmt::format("NodeName={} Feature={}{}\n", nodes.hostlist(members), prefix,
                                to_string(cliques.identity(block.clique)));
    }
    return text;
}

std::string plan_changes(const BlockPlan& plan, const Site& site,
                         const std::vector<std::uint32_t>& old_sizes) {
    std::vector<std::vector<NodeIndex>> old_nodes(site.topology.block_count());
    for (NodeIndex node = 0; node < site.nodes.size(); ++node)
        if (site.topology.block_of(node) != no_block)
            old_nodes[site.topology.block_of(node)].push_back(node);
    std::string text;
    for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
        const PlannedBlock& block = plan.blocks[i];
        if (i < old_nodes.size()) {
            if (old_nodes[i] == block.nodes) continue;
            text += '-' + block_line(block.name, site.nodes.hostlist(old_nodes[i])) + '\n';
        }
        text += '+' + block_line(block.name, site.nodes.hostlist(block.nodes)) + '\n';
    }
    if (plan.sizes == old_sizes) return text;
    if (!old_sizes.empty()) text += '-' + sizes_line(old_sizes) + '\n';
    return text + '+' + sizes_line(plan.sizes) + '\n';
}

}  // namespace nvl72block::cli
