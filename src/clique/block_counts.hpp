// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many nodes of which clique lie in which base block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nvl72block/clique.hpp"

namespace nvl72block {

/// A clique in a block, both ways round: the same fact is found under its block and its clique.
struct CliqueInBlock {
    CliqueIndex clique = no_clique;
    BlockIndex block = no_block;
    std::uint32_t nodes = 0;
    NodeIndex lowest = 0;  ///< of those nodes
};

class BlockCounts {
  public:
    BlockCounts(const Topology& topology, const CliqueMap& cliques);

    /// The cliques of a block, in the order of their lowest nodes.
    [[nodiscard]] std::span<const CliqueInBlock> in_block(BlockIndex block) const {
        return std::span(by_block_).subspan(block_begin_[block],
                                            block_begin_[block + 1] - block_begin_[block]);
    }
    /// The blocks of a clique, ascending.
    [[nodiscard]] std::span<const CliqueInBlock> of_clique(CliqueIndex clique) const {
        return std::span(by_clique_)
            .subspan(clique_begin_[clique], clique_begin_[clique + 1] - clique_begin_[clique]);
    }
    /// Whether the nodes of `here` contradict their block: their clique has more nodes in another
    /// block, and this block has more nodes of another clique.
    [[nodiscard]] bool contradicts(const CliqueInBlock& here) const;

  private:
    std::vector<CliqueInBlock> by_block_;
    std::vector<std::size_t> block_begin_;
    std::vector<CliqueInBlock> by_clique_;
    std::vector<std::size_t> clique_begin_;
};

}  // namespace nvl72block
