// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which of the hard constraints of docs/placement.md a request is under.
#pragma once

#include <cstdint>

#include "nvl72block/placement.hpp"
#include "nvl72block/plain_rule.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

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

/// The smallest count from `count` up that the rules of segments allow; it may lie above the
/// request's maximum.
[[nodiscard]] inline std::uint64_t next_count(const Request& request, std::uint64_t count) {
    const std::uint64_t segment = request.segment_size;
    if (segment == 0 || count <= segment) return count;
    return (count + segment - 1) / segment * segment;
}

}  // namespace nvl72block
