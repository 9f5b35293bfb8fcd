// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/blocks_in_use.hpp"

namespace nvl72block::cli {

void close_blocks(const Topology& topology, NodeSetView in_use, NodeSet& usable) {
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        if (topology.count(block, in_use) == 0) continue;
        for (const NodeRange& range : topology.ranges(block))
            for (NodeIndex node = range.begin; node < range.end; ++node) usable.reset(node);
    }
}

}  // namespace nvl72block::cli
