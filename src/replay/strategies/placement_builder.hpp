// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds the engine's form of an answer node by node, for the baselines.
#pragma once

#include <algorithm>
#include <utility>

#include "nvl72block/placement.hpp"

namespace nvl72block::replay {

class PlacementBuilder {
  public:
    explicit PlacementBuilder(const Topology& topology) : topology_(topology) {
        placement_.nodes = NodeSet(topology.node_count());
    }

    void begin_segment() {
        placement_.segment_begin.push_back(
            static_cast<std::uint32_t>(placement_.segment_nodes.size()));
    }

    void add(NodeIndex node) {
        placement_.nodes.set(node);
        placement_.segment_nodes.push_back(node);
        const BlockIndex block = topology_.block_of(node);
        if (block != no_block) placement_.blocks.push_back(block);
    }

    [[nodiscard]] Placement finish() && {
        begin_segment();  // the end of the last one
        std::vector<BlockIndex>& blocks = placement_.blocks;
        std::sort(blocks.begin(), blocks.end());
        blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
        return std::move(placement_);
    }

  private:
    const Topology& topology_;
    Placement placement_;
};

}  // namespace nvl72block::replay
