// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/block_proposal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "clique/block_counts.hpp"
#include "topology/name_places.hpp"

namespace nvl72block {
namespace {

/// The planning size times 1, 2, 4, … until one block joins all.
std::vector<std::uint32_t> sizes_for(std::uint32_t planning_size, std::size_t blocks) {
    std::vector<std::uint32_t> sizes;
    for (unsigned exponent = 0; exponent <= max_block_exponent; ++exponent) {
        sizes.push_back(planning_size << exponent);
        if (std::size_t{1} << exponent >= blocks) break;
    }
    return sizes;
}

void choose_sizes(const CliqueMap& cliques, BlockProposal& proposal) {
    proposal.usual_size = blocks_of_cliques(cliques).usual_size;
    for (const ProposedBlock& block : proposal.blocks)
        if (block.clique != no_clique && block.nodes.size() == proposal.usual_size)
            ++proposal.usual_blocks;
    if (proposal.sizes.empty() && proposal.usual_size != 0)
        proposal.sizes = sizes_for(proposal.usual_size, proposal.blocks.size());
}

/// Names for further blocks: those of the site counted on.
class Names {
  public:
    explicit Names(const std::vector<ProposedBlock>& blocks) {
        for (const ProposedBlock& block : blocks) {
            taken_.insert(block.name);
            const auto numbered = split_number(block.name);
            if (!numbered) continue;
            prefix_ = numbered->prefix;
            width_ = block.name.size() - prefix_.size();
            last_ = std::max(last_, numbered->number);
        }
    }

    std::string next() {
        std::string name;
        do name = fmt::format("{}{:0{}}", prefix_, ++last_, width_);
        while (!taken_.insert(name).second);
        return name;
    }

  private:
    std::unordered_set<std::string> taken_;
    std::string prefix_ = "block";
    std::size_t width_ = 3;
    std::uint64_t last_ = 0;
};

/// Gives each old block its clique: the largest overlaps first.
void match(const Topology& topology, const CliqueMap& cliques, std::vector<ProposedBlock>& blocks,
           std::vector<std::size_t>& block_of_clique) {
    const BlockCounts counts(topology, cliques);
    std::vector<CliqueInBlock> overlaps;
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        overlaps.insert(overlaps.end(), counts.in_block(block).begin(),
                        counts.in_block(block).end());
    std::stable_sort(overlaps.begin(), overlaps.end(),
                     [](const CliqueInBlock& left, const CliqueInBlock& right) {
                         return left.nodes > right.nodes;
                     });
    for (const CliqueInBlock& overlap : overlaps) {
        if (blocks[overlap.block].clique != no_clique ||
            block_of_clique[overlap.clique] != blocks.max_size())
            continue;
        blocks[overlap.block].clique = overlap.clique;
        block_of_clique[overlap.clique] = overlap.block;
    }
}

/// Puts the nodes into the blocks; cliques that none has yet get a new one.
void fill(const Topology* topology, const CliqueMap& cliques, std::vector<ProposedBlock>& blocks,
          std::vector<std::size_t>& block_of_clique) {
    Names names(blocks);
    for (NodeIndex node = 0; node < cliques.node_count(); ++node) {
        const CliqueIndex clique = cliques.clique_of(node);
        if (clique == no_clique) {
            const BlockIndex old = topology == nullptr ? no_block : topology->block_of(node);
            if (old != no_block) blocks[old].nodes.push_back(node);
            continue;
        }
        std::size_t& block = block_of_clique[clique];
        if (block == blocks.max_size()) {
            block = blocks.size();
            blocks.push_back({names.next(), clique, {}});
        }
        blocks[block].nodes.push_back(node);
    }
}

}  // namespace

BlockProposal propose_blocks(const CliqueMap& cliques) {
    BlockProposal proposal;
    std::vector<std::size_t> block_of_clique(cliques.clique_count(), proposal.blocks.max_size());
    fill(nullptr, cliques, proposal.blocks, block_of_clique);
    choose_sizes(cliques, proposal);
    return proposal;
}

BlockProposal propose_blocks(const CliqueMap& cliques, const Cluster& cluster) {
    const Topology& topology = cluster.topology();
    BlockProposal proposal;
    proposal.sizes.assign(cluster.block_sizes().begin(), cluster.block_sizes().end());
    proposal.sizes_kept = !proposal.sizes.empty();
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        proposal.blocks.push_back({topology.block_name(block), no_clique, {}});
    std::vector<std::size_t> block_of_clique(cliques.clique_count(), proposal.blocks.max_size());
    match(topology, cliques, proposal.blocks, block_of_clique);
    fill(&topology, cliques, proposal.blocks, block_of_clique);
    choose_sizes(cliques, proposal);
    return proposal;
}

}  // namespace nvl72block
