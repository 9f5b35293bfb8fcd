// SPDX-License-Identifier: GPL-2.0-or-later
#include "throughput/placement_effect.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace nvl72block::throughput {
namespace {

Parts parts_of(const Topology& topology, std::span<const NodeIndex> nodes) {
    std::map<BlockIndex, std::uint32_t> racks;
    Parts parts;
    for (const NodeIndex node : nodes) {
        const BlockIndex block = topology.block_of(node);
        if (block == no_block)
            parts.push_back(gpus_per_node);
        else
            racks[block] += gpus_per_node;
    }
    for (const auto& [block, gpus] : racks) parts.push_back(gpus);
    return parts;
}

std::uint32_t group_nodes(std::uint32_t nodes, std::uint32_t segment_size,
                          std::uint32_t rack_nodes) {
    return segment_size != 0 ? std::min(segment_size, nodes) : largest_group(nodes, rack_nodes);
}

std::uint32_t divided_up(std::uint32_t whole, std::uint32_t part) {
    return (whole + part - 1) / part;
}

Layout layout_of(const Topology& topology, const Placement& placement, std::uint32_t group) {
    const std::span nodes(placement.segment_nodes);
    Layout layout{parts_of(topology, nodes), {}};
    for (std::size_t begin = 0; begin < nodes.size(); begin += group)
        layout.groups.push_back(parts_of(
            topology, nodes.subspan(begin, std::min<std::size_t>(group, nodes.size() - begin))));
    return layout;
}

}  // namespace

std::uint32_t largest_group(std::uint32_t nodes, std::uint32_t rack_nodes) {
    std::uint32_t divisor = std::min(nodes, rack_nodes);
    while (nodes % divisor != 0) --divisor;
    return divisor;
}

Layout best_layout(std::uint32_t nodes, std::uint32_t segment_size, std::uint32_t rack_nodes) {
    const std::uint32_t group = group_nodes(nodes, segment_size, rack_nodes);
    const std::uint32_t groups = divided_up(nodes, group);
    const std::uint32_t racks = group <= rack_nodes ? divided_up(groups, rack_nodes / group)
                                                    : divided_up(nodes, rack_nodes);
    return {even_parts(nodes, racks), {even_parts(group, divided_up(group, rack_nodes))}};
}

double loss_beside(const Layout& layout, const Layout& best, JobKind kind, const Fabric& fabric) {
    const double loss = 1 - step_seconds(kind, fabric, best) / step_seconds(kind, fabric, layout);
    return std::clamp(loss, 0.0, largest_measured_loss);
}

Effect placement_effect(const Topology& topology, const Placement& placement,
                        std::uint32_t segment_size, const Model& model) {
    const auto nodes = static_cast<std::uint32_t>(placement.segment_nodes.size());
    Effect effect;
    if (nodes < 2) return effect;
    const std::uint32_t rack = std::max(topology.largest_block_nodes(), 1U);
    const Layout layout = layout_of(topology, placement, group_nodes(nodes, segment_size, rack));
    const Layout best = best_layout(nodes, segment_size, rack);
    effect.groups = static_cast<std::uint32_t>(layout.groups.size());
    effect.torn_groups = static_cast<std::uint32_t>(std::count_if(
        layout.groups.begin(), layout.groups.end(),
        [&](const Parts& group) { return group.size() > best.groups.front().size(); }));
    if (!model.kind) {
        effect.loss = effect.torn_groups != 0 ? model.torn_loss : 0;
        return effect;
    }
    effect.fails = effect.torn_groups != 0 && group_fails(*model.kind);
    effect.loss = effect.fails ? 1 : loss_beside(layout, best, *model.kind, model.fabric);
    return effect;
}

}  // namespace nvl72block::throughput
