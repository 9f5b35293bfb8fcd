// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which blocks the fabric's cliques make, under the names that a site has for them already.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nvl72block/clique.hpp"
#include "nvl72block/cluster.hpp"

namespace nvl72block {

struct ProposedBlock {
    std::string name;
    CliqueIndex clique = no_clique;  ///< no_clique: an old block that has no clique
    std::vector<NodeIndex> nodes;    ///< ascending; may be empty
};

struct BlockProposal {
    std::vector<ProposedBlock> blocks;  ///< in the order of their lines
    std::vector<std::uint32_t> sizes;   ///< BlockSizes
    std::uint32_t usual_size = 0;       ///< the number of nodes that most cliques have
    std::uint32_t usual_blocks = 0;     ///< how many have it
    bool sizes_kept = false;            ///< `sizes` are the site's own
};

/// Blocks block001, block002, … in the order of their cliques' lowest nodes, with sizes from the
/// usual one up to one that joins all blocks.
[[nodiscard]] BlockProposal propose_blocks(const CliqueMap& cliques);

/// The blocks of `site` as the cliques would have them. A block goes to the clique that has most
/// nodes in it, a clique to one block; name, order and `sizes` stay. Further cliques are further
/// blocks at the end, numbered on. Nodes without a clique stay where they are.
[[nodiscard]] BlockProposal propose_blocks(const CliqueMap& cliques, const Cluster& cluster);

}  // namespace nvl72block
