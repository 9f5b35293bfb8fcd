// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/generate/proposal_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>

#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

std::string block_line(const std::string& name, const std::string& nodes) {
    return nodes.empty() ? "BlockName=" + name : fmt::format("BlockName={} Nodes={}", name, nodes);
}

std::string sizes_line(std::span<const std::uint32_t> sizes) {
    return fmt::format("BlockSizes={}", fmt::join(sizes, ","));
}

std::string size_comment(const BlockProposal& proposal) {
    std::string text =
        fmt::format("# BlockSizes: {} of {} have {}, ", proposal.usual_blocks,
                    plural(proposal.blocks.size(), "block"), plural(proposal.usual_size, "node"));
    if (proposal.sizes_kept)
        return text +
               (proposal.sizes.front() == proposal.usual_size
                    ? "the planning size.\n"
                    : fmt::format("but the planning size {} is kept.\n", proposal.sizes.front()));
    text += "so jobs are planned with that";
    if (proposal.sizes.size() == 1) return text + ".\n";
    std::vector<std::uint32_t> joined;
    for (std::size_t i = 1; i < proposal.sizes.size(); ++i)
        joined.push_back(proposal.sizes[i] / proposal.sizes.front());
    return text + fmt::format(";\n# the larger sizes join {} blocks that follow each other.\n",
                              fmt::join(joined, ", "));
}

std::string outside_comment(const BlockProposal& proposal, const NodeTable& nodes,
                            const CliqueMap& cliques) {
    NodeSet inside(nodes.size());
    for (const ProposedBlock& block : proposal.blocks)
        for (const NodeIndex node : block.nodes) inside.set(node);
    std::string text;
    for (const std::string& words : nodes_left_out(inside, " in no block", nodes, cliques))
        text += "# " + words + '\n';
    return text;
}

}  // namespace

std::vector<std::string> nodes_left_out(const NodeSet& taken, std::string_view where,
                                        const NodeTable& nodes, const CliqueMap& cliques) {
    std::map<CliqueStatus, std::vector<NodeIndex>> left;
    for (NodeIndex node = 0; node < nodes.size(); ++node)
        if (!taken.test(node)) left[cliques.status(node)].push_back(node);
    std::vector<std::string> words;
    for (const auto& [status, list] : left)
        words.push_back(fmt::format("{}{}, {}: {}", plural(list.size(), "node"), where,
                                    to_string(status), nodes.hostlist(list)));
    return words;
}

std::string topology_conf(const BlockProposal& proposal, const NodeTable& nodes,
                          const CliqueMap& cliques) {
    std::string text = fmt::format("# One block per NVLink clique: {}, {} with a clique.\n",
                                   plural(cliques.clique_count(), "clique"),
                                   plural(cliques.nodes_with_clique(), "node"));
    text += size_comment(proposal) + outside_comment(proposal, nodes, cliques);
    for (const ProposedBlock& block : proposal.blocks) {
        text += block.clique == no_clique ? fmt::format("# {} has no clique\n", block.name)
                                          : fmt::format("# {}={}\n", block.name,
                                                        to_string(cliques.identity(block.clique)));
        text += block_line(block.name, nodes.hostlist(block.nodes)) + '\n';
    }
    return text + sizes_line(proposal.sizes) + '\n';
}

std::string feature_lines(const BlockProposal& proposal, const NodeTable& nodes,
                          const CliqueMap& cliques, const std::string& prefix) {
    std::string text;
    for (const ProposedBlock& block : proposal.blocks) {
        std::vector<NodeIndex> members;
        for (const NodeIndex node : block.nodes)
            if (cliques.clique_of(node) != no_clique) members.push_back(node);
        if (!members.empty())
            text += fmt::format("NodeName={} Feature={}{}\n", nodes.hostlist(members), prefix,
                                to_string(cliques.identity(block.clique)));
    }
    return text;
}

std::string proposed_changes(const BlockProposal& proposal, const LoadedCluster& loaded) {
    const auto old_sizes = loaded.cluster.block_sizes();
    std::vector<std::vector<NodeIndex>> old_nodes(loaded.topology().block_count());
    for (NodeIndex node = 0; node < loaded.nodes.size(); ++node)
        if (loaded.topology().block_of(node) != no_block)
            old_nodes[loaded.topology().block_of(node)].push_back(node);
    std::string text;
    for (std::size_t i = 0; i < proposal.blocks.size(); ++i) {
        const ProposedBlock& block = proposal.blocks[i];
        if (i < old_nodes.size()) {
            if (old_nodes[i] == block.nodes) continue;
            text += '-' + block_line(block.name, loaded.nodes.hostlist(old_nodes[i])) + '\n';
        }
        text += '+' + block_line(block.name, loaded.nodes.hostlist(block.nodes)) + '\n';
    }
    if (std::ranges::equal(proposal.sizes, old_sizes)) return text;
    if (!old_sizes.empty()) text += '-' + sizes_line(old_sizes) + '\n';
    return text + '+' + sizes_line(proposal.sizes) + '\n';
}

}  // namespace nvl72block::cli
