// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/simulation/rule_check.hpp"

#include <set>

#include "nvl72block/plain_rule.hpp"

namespace nvl72block::replay {

bool obeys_plain_rule(const Topology& topology, std::span<const NodeIndex> nodes) {
    const PlainRule rule = plain_rule(topology, nodes.size());
    const bool anywhere = rule.level == topology.levels().size();
    std::set<std::uint32_t> blocks;
    std::set<std::uint32_t> lower_blocks;
    for (const NodeIndex node : nodes) {
        const BlockIndex block = topology.block_of(node);
        if (block == no_block) return false;
        blocks.insert(anywhere ? 0 : topology.aggregate_of(rule.level, block));
        lower_blocks.insert(topology.aggregate_of(rule.lower, block));
    }
    return blocks.size() <= 1 && lower_blocks.size() <= rule.limit;
}

}  // namespace nvl72block::replay
