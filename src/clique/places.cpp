// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parts of each base block that NVLink really joins.
#include "clique/block_counts.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block {
namespace {

void set_all(const Topology& topology, BlockIndex block, CliquePlaces& places) {
    places.place_count[block] = topology.block_nodes(block) == 0 ? 0 : 1;
    for (const NodeRange& range : topology.ranges(block))
        for (NodeIndex node = range.begin; node < range.end; ++node) places.place_of[node] = 0;
}

}  // namespace

NodeSet nodes_without_place(const Topology& topology, std::span<const std::uint32_t> place_of) {
    NodeSet found(topology.node_count());
    for (NodeIndex node = 0; node < place_of.size(); ++node)
        if (place_of[node] == no_place && topology.block_of(node) != no_block) found.set(node);
    return found;
}

CliquePlaces clique_places(const Topology& topology, const CliqueMap& cliques) {
    const BlockCounts counts(topology, cliques);
    CliquePlaces places{std::vector<std::uint32_t>(topology.node_count(), no_place),
                        std::vector<std::uint32_t>(topology.block_count(), 0), NodeSet()};
    std::vector<std::uint32_t> place_of_clique(cliques.clique_count(), no_place);
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        const auto present = counts.in_block(block);
        if (present.empty()) {
            set_all(topology, block, places);
            continue;
        }
        for (const CliqueInBlock& entry : present)
            place_of_clique[entry.clique] =
                counts.contradicts(entry) ? no_place : places.place_count[block]++;
        for (const NodeRange& range : topology.ranges(block))
            for (NodeIndex node = range.begin; node < range.end; ++node)
                if (const CliqueIndex clique = cliques.clique_of(node); clique != no_clique)
                    places.place_of[node] = place_of_clique[clique];
    }
    places.without_place = nodes_without_place(topology, places.place_of);
    return places;
}

}  // namespace nvl72block
