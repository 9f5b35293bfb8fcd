// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cluster back into a topology.conf.
#include <sstream>

#include "nvl72block/cluster.hpp"

namespace nvl72block {

std::string Cluster::to_topology_conf() const {
    std::ostringstream out;
    for (BlockIndex block = 0; block < topology_.block_count(); ++block) {
        const auto& [nodes, changed] = texts_[block];
        const bool is_clique = changed && nodes.empty();
        if (is_clique || topology_.is_hole(block)) continue;
        out << "BlockName=" << topology_.block_name(block);
        if (!nodes.empty()) out << " Nodes=" << nodes;
        out << '\n';
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        out << (i == 0 ? "BlockSizes=" : ",") << sizes_[i];
    if (!sizes_.empty()) out << '\n';
    return out.str();
}

}  // namespace nvl72block
