// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks that the fabric describes itself.
#include <map>

#include "nvl72block/clique.hpp"

namespace nvl72block {
namespace {

std::uint32_t usual_size(const std::vector<std::uint32_t>& sizes) {
    std::map<std::uint32_t, std::size_t> frequency;
    for (const std::uint32_t size : sizes) ++frequency[size];
    std::uint32_t usual = 0;
    std::size_t most = 0;
    for (const auto& [size, count] : frequency)
        if (count >= most) {
            most = count;
            usual = size;
        }
    return usual;
}

}  // namespace

CliqueBlocks blocks_of_cliques(const CliqueMap& cliques) {
    CliqueBlocks blocks;
    blocks.block_of.assign(cliques.node_count(), no_block);
    std::vector<BlockIndex> block_of_clique(cliques.clique_count(), no_block);
    std::vector<std::uint32_t> sizes;
    for (NodeIndex node = 0; node < cliques.node_count(); ++node) {
        const CliqueIndex clique = cliques.clique_of(node);
        if (clique == no_clique) continue;
        BlockIndex& block = block_of_clique[clique];
        if (block == no_block) {
            block = static_cast<BlockIndex>(blocks.names.size());
            blocks.names.push_back(to_string(cliques.identity(clique)));
            blocks.cliques.push_back(clique);
            sizes.push_back(0);
        }
        blocks.block_of[node] = block;
        ++sizes[block];
    }
    blocks.usual_size = usual_size(sizes);
    return blocks;
}

}  // namespace nvl72block
