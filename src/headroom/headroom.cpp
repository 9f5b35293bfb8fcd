// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/headroom.hpp"

#include <algorithm>
#include <set>

#include "fragmentation/block_states.hpp"
#include "nvl72block/fragmentation.hpp"

namespace nvl72block {
namespace {

/// Nodes of the largest job between `request.min_nodes` and `request.max_nodes`; 0: none fits.
FitCount largest(const Topology& topology, const Request& request, NodeSetView free,
                 const Budget& budget) {
    if (request.max_nodes < request.min_nodes) return {};
    State state;
    state.usable = free;
    const Answer answer = place(topology, request, state, budget);
    if (const auto* refusal = std::get_if<Refusal>(&answer)) return {0, refusal->proven};
    const auto& placement = std::get<Placement>(answer);
    const std::uint32_t count = placement.nodes.count();
    return {count, placement.proven || count == request.max_nodes};
}

}  // namespace

NodeSet nodes_in_blocks(const Topology& topology, BlockIndex first, BlockIndex last,
                        NodeSetView nodes) {
    NodeSet inside(topology.node_count());
    for (BlockIndex block = first; block < last; ++block)
        topology.for_each(block, nodes, [&](NodeIndex node) { inside.set(node); });
    return inside;
}

std::vector<LevelBlocks> count_blocks(const Topology& topology, NodeSetView free) {
    std::vector<LevelBlocks> counts;
    for (const Level& level : topology.levels()) counts.push_back({level.nodes, 0, 0, 0, 0});
    for_each_block_state(topology, free, [&](std::size_t level, const BlockState& state) {
        LevelBlocks& blocks = counts[level];
        blocks.lost_nodes += state.lost;
        if (!state.exists) return;
        ++(!state.attainable ? blocks.incomplete : state.whole ? blocks.whole : blocks.broken);
    });
    return counts;
}

std::vector<std::uint32_t> segment_sizes(const Topology& topology) {
    const std::uint32_t rack = std::max(topology.planning_size(), topology.largest_block_nodes());
    std::set<std::uint32_t> sizes;
    for (const std::uint32_t size : {1U, 2U, 4U, 8U, 9U, 16U, 18U})
        if (size <= rack) sizes.insert(size);
    for (const Level& level : topology.levels())
        if (level.nodes != 0) sizes.insert(level.nodes);  // 0: all blocks are empty
    return {sizes.begin(), sizes.end()};
}

FitCount largest_job(const Topology& topology, NodeSetView free, const Budget& budget) {
    const NodeSet nodes = nodes_in_blocks(topology, 0, topology.block_count(), free);
    Request request;
    request.max_nodes = nodes.count();
    return largest(topology, request, nodes, budget);
}

FitCount segments_that_fit(const Topology& topology, NodeSetView nodes, std::uint32_t size,
                           const Budget& budget) {
    Request request;
    request.min_nodes = request.segment_size = size;
    request.max_nodes = nodes.count() / size * size;
    FitCount fit = largest(topology, request, nodes, budget);
    fit.count /= size;
    return fit;
}

std::vector<IdleSegments> idle_segments(const Topology& topology, NodeSetView free,
                                        std::span<const std::uint32_t> sizes) {
    const NodeSet nodes = nodes_in_blocks(topology, 0, topology.block_count(), free);
    std::vector<IdleSegments> result;
    for (const std::uint32_t size : sizes)
        result.push_back({size, segments_that_fit(topology, nodes, size)});
    return result;
}

Headroom headroom(const Topology& topology, NodeSetView free) {
    Headroom result;
    result.levels = count_blocks(topology, free);
    result.largest_job = largest_job(topology, free);
    result.idle_segments = idle_segments(topology, free, segment_sizes(topology));
    result.fragmentation_stock = fragmentation_stock(topology, free);
    result.fragmentation_usable = fragmentation_usable(topology, free);
    return result;
}

}  // namespace nvl72block
