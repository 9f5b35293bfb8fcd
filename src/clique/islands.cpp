// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parts of each base block that NVLink really joins.
#include "clique/block_counts.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block {
namespace {

template <typename Visit>
void for_each_node(const Topology& topology, BlockIndex block, Visit visit) {
    for (const NodeRange& range : topology.ranges(block))
        for (NodeIndex node = range.begin; node < range.end; ++node) visit(node);
}

}  // namespace

std::vector<std::uint32_t> islands_of(const Topology& topology, const CliqueMap& cliques) {
    const BlockCounts counts(topology, cliques);
    std::vector<std::uint32_t> islands(topology.node_count(), no_island);
    std::vector<std::uint32_t> island_of_clique(cliques.clique_count(), no_island);
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        const auto present = counts.in_block(block);
        std::uint32_t count = 0;
        for (const CliqueInBlock& entry : present)
            island_of_clique[entry.clique] = counts.contradicts(entry) ? no_island : count++;
        for_each_node(topology, block, [&](NodeIndex node) {
            const CliqueIndex clique = cliques.clique_of(node);
            if (present.empty())
                islands[node] = 0;
            else if (clique != no_clique)
                islands[node] = island_of_clique[clique];
        });
    }
    return islands;
}

}  // namespace nvl72block
