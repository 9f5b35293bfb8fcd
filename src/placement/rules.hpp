// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which of the hard constraints of docs/placement.md a request is under.
#pragma once

#include <cstdint>

#include "nvl72block/placement.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// The plain rule for some number of nodes: one block of `level`, in it at most `limit` blocks of
/// `lower`. A level equal to topology.levels().size() is the whole.
struct PlainRule {
    std::size_t level = 0;
    std::size_t lower = 0;
    std::uint32_t limit = 1;
};

[[nodiscard]] inline PlainRule plain_rule(const Topology& topology, std::uint64_t nodes) {
    const auto levels = topology.levels();
    PlainRule rule;
    while (rule.level < levels.size() && levels[rule.level].nodes < nodes) ++rule.level;
    rule.lower = rule.level == 0 ? 0 : rule.level - 1;
    const std::uint64_t size = levels[rule.lower].nodes;
    rule.limit = static_cast<std::uint32_t>((nodes + size - 1) / size);
    return rule;
}

/// Whether cliques are enforced and counts of several nodes heed them: segments of one node do not,
/// nor a single node.
[[nodiscard]] inline bool heeds_cliques(const Topology& topology, const Request& request) {
    return topology.islands() != nullptr && request.max_nodes > 1 && request.segment_size != 1;
}

/// The nodes that one segment counts for when segments are consolidated: with spread, all of its
/// base blocks.
[[nodiscard]] inline std::uint64_t segment_room(const Topology& topology,
                                                std::uint64_t segment_size, bool spread) {
    const std::uint64_t base = topology.planning_size();
    return spread ? (segment_size + base - 1) / base * base : segment_size;
}

/// The level that all segments together must lie in when they are consolidated.
[[nodiscard]] inline std::size_t consolidated_level(const Topology& topology,
                                                    std::uint64_t segments,
                                                    std::uint64_t segment_size, bool spread) {
    return plain_rule(topology, segments * segment_room(topology, segment_size, spread)).level;
}

}  // namespace nvl72block
