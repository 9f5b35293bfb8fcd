// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/idle_capacity.hpp"

#include <algorithm>

#include "nvl72block/fragmentation.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block {
namespace {

std::vector<bool> whole_base_blocks(const Topology& topology, NodeSetView free) {
    std::vector<bool> whole(topology.block_count());
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        whole[block] = topology.count(block, free) >= topology.planning_size();
    return whole;
}

LevelCapacity level_capacity(const Topology& topology, std::size_t level,
                             const std::vector<bool>& whole) {
    const Level& properties = topology.levels()[level];
    LevelCapacity capacity{properties.nodes, properties.aggregates, 0};
    for (std::uint32_t aggregate = 0; aggregate < properties.aggregates; ++aggregate) {
        const BlockIndex first = topology.first_block(level, aggregate);
        const BlockIndex last = topology.last_block(level, aggregate);
        const bool complete = last - first == BlockIndex{1} << properties.exponent;
        if (complete && std::all_of(whole.begin() + first, whole.begin() + last,
                                    [](bool block) { return block; }))
            ++capacity.whole;
    }
    return capacity;
}

/// Free nodes that lie in blocks.
NodeSet free_in_blocks(const Topology& topology, NodeSetView free) {
    NodeSet nodes(topology.node_count());
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        topology.for_each(block, free, [&](NodeIndex node) { nodes.set(node); });
    return nodes;
}

/// Nodes of the largest job between `request.min_nodes` and `request.max_nodes`; 0: none fits.
std::uint32_t largest(const Topology& topology, const Request& request, NodeSetView free) {
    if (request.max_nodes < request.min_nodes) return 0;
    State state;
    state.usable = free;
    const Answer answer = place(topology, request, state);
    const auto* placement = std::get_if<Placement>(&answer);
    return placement != nullptr ? placement->nodes.count() : 0;
}

}  // namespace

std::vector<std::uint32_t> segment_sizes(const Topology& topology) {
    std::vector<std::uint32_t> sizes;
    for (std::uint64_t size = 1; size < topology.planning_size(); size *= 2)
        sizes.push_back(static_cast<std::uint32_t>(size));
    for (const Level& level : topology.levels())
        if (level.nodes != 0) sizes.push_back(level.nodes);  // 0: all blocks are empty
    return sizes;
}

IdleCapacity idle_capacity(const Topology& topology, NodeSetView free) {
    IdleCapacity result;
    const std::vector<bool> whole = whole_base_blocks(topology, free);
    for (std::size_t level = 0; level < topology.levels().size(); ++level)
        result.levels.push_back(level_capacity(topology, level, whole));

    const NodeSet nodes = free_in_blocks(topology, free);
    const std::uint32_t count = nodes.count();
    Request request;
    request.max_nodes = count;
    result.largest_job = largest(topology, request, nodes);
    for (const std::uint32_t size : segment_sizes(topology)) {
        request.min_nodes = request.segment_size = size;
        request.max_nodes = count / size * size;
        result.idle_segments.push_back({size, largest(topology, request, nodes) / size});
    }
    result.fragmentation_stock = fragmentation_stock(topology, free);
    result.fragmentation_usable = fragmentation_usable(topology, free);
    return result;
}

}  // namespace nvl72block
