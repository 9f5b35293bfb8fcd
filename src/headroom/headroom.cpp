// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/headroom.hpp"

#include <algorithm>

#include "nvl72block/fragmentation.hpp"

namespace nvl72block {
namespace {

std::vector<bool> whole_base_blocks(const Topology& topology, NodeSetView free) {
    std::vector<bool> whole(topology.block_count());
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        whole[block] = topology.count(block, free) >= topology.planning_size();
    return whole;
}

WholeBlocks whole_blocks(const Topology& topology, std::size_t level,
                         const std::vector<bool>& whole) {
    const Level& properties = topology.levels()[level];
    WholeBlocks blocks{properties.nodes, properties.aggregates, 0};
    for (std::uint32_t aggregate = 0; aggregate < properties.aggregates; ++aggregate) {
        const BlockIndex first = topology.first_block(level, aggregate);
        const BlockIndex last = topology.last_block(level, aggregate);
        const bool complete = last - first == properties.base_blocks();
        if (complete && std::all_of(whole.begin() + first, whole.begin() + last,
                                    [](bool block) { return block; }))
            ++blocks.whole;
    }
    return blocks;
}

/// Free nodes that lie in blocks.
NodeSet free_in_blocks(const Topology& topology, NodeSetView free) {
    NodeSet nodes(topology.node_count());
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        topology.for_each(block, free, [&](NodeIndex node) { nodes.set(node); });
    return nodes;
}

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

std::vector<std::uint32_t> segment_sizes(const Topology& topology) {
    std::vector<std::uint32_t> sizes;
    for (std::uint64_t size = 1; size < topology.planning_size(); size *= 2)
        sizes.push_back(static_cast<std::uint32_t>(size));
    for (const Level& level : topology.levels())
        if (level.nodes != 0) sizes.push_back(level.nodes);  // 0: all blocks are empty
    return sizes;
}

FitCount largest_job(const Topology& topology, NodeSetView free, const Budget& budget) {
    const NodeSet nodes = free_in_blocks(topology, free);
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
    const NodeSet nodes = free_in_blocks(topology, free);
    std::vector<IdleSegments> result;
    for (const std::uint32_t size : sizes)
        result.push_back({size, segments_that_fit(topology, nodes, size)});
    return result;
}

Headroom headroom(const Topology& topology, NodeSetView free) {
    Headroom result;
    const std::vector<bool> whole = whole_base_blocks(topology, free);
    for (std::size_t level = 0; level < topology.levels().size(); ++level)
        result.levels.push_back(whole_blocks(topology, level, whole));
    result.largest_job = largest_job(topology, free);
    result.idle_segments = idle_segments(topology, free, segment_sizes(topology));
    result.fragmentation_stock = fragmentation_stock(topology, free);
    result.fragmentation_usable = fragmentation_usable(topology, free);
    return result;
}

}  // namespace nvl72block
