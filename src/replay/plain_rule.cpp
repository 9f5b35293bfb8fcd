// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/plain_rule.hpp"

#include <set>

namespace nvl72block::replay {

PlainRule plain_rule(const Topology& topology, std::uint32_t nodes) {
    const std::span<const Level> levels = topology.levels();
    std::size_t level = 0;
    while (level < levels.size() && levels[level].nodes < nodes) ++level;
    PlainRule rule;
    if (level < levels.size()) rule.level = level;
    rule.lower_level = level == 0 ? 0 : level - 1;
    const std::uint32_t size = levels[rule.lower_level].nodes;
    rule.lower_blocks = (nodes + size - 1) / size;
    return rule;
}

bool obeys_plain_rule(const Topology& topology, std::span<const NodeIndex> nodes) {
    const PlainRule rule = plain_rule(topology, static_cast<std::uint32_t>(nodes.size()));
    std::set<std::uint32_t> blocks;
    std::set<std::uint32_t> lower_blocks;
    for (const NodeIndex node : nodes) {
        const BlockIndex block = topology.block_of(node);
        if (block == no_block) return false;
        blocks.insert(rule.level ? block >> topology.levels()[*rule.level].exponent : 0);
        lower_blocks.insert(block >> topology.levels()[rule.lower_level].exponent);
    }
    return blocks.size() <= 1 && lower_blocks.size() <= rule.lower_blocks;
}

}  // namespace nvl72block::replay
