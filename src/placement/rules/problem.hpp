// SPDX-License-Identifier: GPL-2.0-or-later
//
// One search: a fixed node count, the vertices it may lie in, and how it is cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "placement/preference/cost.hpp"
#include "placement/rules/rules.hpp"
#include "placement/state/island_offers.hpp"
#include "placement/state/tally.hpp"

namespace nvl72block {

/// The input of a search. It works in units: a unit is a single node for a plain job and a segment
/// for a segmented one. Every "unit" of src/placement is that.
struct Problem {
    std::uint32_t nodes = 0;       ///< nodes of the whole job; the fewest where units may vary
    std::uint32_t units = 0;       ///< nodes, or segments; the most where they may vary
    std::uint32_t unit_nodes = 1;  ///< nodes per unit
    bool segmented = false;        ///< units are segments
    std::size_t unit_level = 0;    ///< level whose vertices a unit must lie in; 0: base blocks
    PlainRule segment_rule{};      ///< rule for one segment (unit_level == segment_rule.level)
    bool spread = false;
    std::size_t scope_level = 0;  ///< the job lies in one vertex of this level
    /// At most `limit` vertices of `limited_level` are used inside the scope; 0: no limit.
    std::size_t limited_level = 0;
    std::uint32_t limit = 0;
    std::uint32_t max_base_blocks = 0;  ///< 0: no limit
    /// A plain job of 2 to b nodes, b the planning size: where cliques are enforced, it lies in one
    /// island. A matter of the node count, wherever the scope lies.
    bool one_island = false;

    /// Units are segments that may cover several base blocks.
    [[nodiscard]] bool large_segments() const { return unit_level > 0; }
};

/// Whether a vertex of the scope's level has all required nodes, and as many as the job needs.
[[nodiscard]] inline bool may_lie_in(const Tally& tally, const Problem& problem,
                                     std::uint32_t scope) {
    return tally.required(problem.scope_level, scope) == tally.required_in_blocks() &&
           tally.free(problem.scope_level, scope) >= problem.nodes;
}

/// How carved base blocks are cut: segments of up to the planning size by multiples, a plain job of
/// up to the planning size from a single island. What is larger heeds no islands.
[[nodiscard]] inline IslandRule island_rule(const Problem& problem) {
    if (problem.segmented)
        return {problem.unit_level == 0 && problem.unit_nodes > 1, false, problem.unit_nodes};
    return {problem.one_island, true, 1};
}

/// Units of `unit_nodes` nodes that the nodes of a vertex of any level add up to.
[[nodiscard]] inline UnitRange units_held(const Tally& tally, std::size_t level,
                                          std::uint32_t index, std::uint32_t unit_nodes) {
    return {(tally.required(level, index) + unit_nodes - 1) / unit_nodes,
            tally.free(level, index) / unit_nodes};
}

/// The units that a base block can give when units lie in base blocks.
[[nodiscard]] inline UnitRange block_range(const Tally& tally, const Problem& problem,
                                           BlockIndex block) {
    const auto offers = tally.islands().of(block);
    const IslandRule rule = island_rule(problem);
    UnitRange range = rule.holds && !offers.empty()
                          ? island_range(offers, rule)
                          : units_held(tally, 0, block, problem.unit_nodes);
    if (problem.spread) range.most = std::min(range.most, 1U);
    return range;
}

/// The units that a vertex of the unit level can give. For large segments an upper bound: it heeds
/// neither spread nor the rule for one segment.
[[nodiscard]] inline UnitRange unit_range(const Tally& tally, const Problem& problem,
                                          std::uint32_t vertex) {
    return problem.large_segments()
               ? units_held(tally, problem.unit_level, vertex, problem.unit_nodes)
               : block_range(tally, problem, vertex);
}

/// Nodes to take from one base block.
struct Share {
    BlockIndex block = 0;
    std::uint32_t nodes = 0;

    [[nodiscard]] bool operator==(const Share&) const = default;
};

/// What shares take from each vertex (Share::block) that joins 2^exponent base blocks, where those
/// of one vertex follow each other.
[[nodiscard]] inline std::vector<Share> joined(std::span<const Share> shares, unsigned exponent) {
    std::vector<Share> taken;
    for (const Share& share : shares) {
        const std::uint32_t vertex = share.block >> exponent;
        if (taken.empty() || taken.back().block != vertex) taken.push_back({vertex, 0});
        taken.back().nodes += share.nodes;
    }
    return taken;
}

/// The result of a search, before nodes are named: the segments' shares one after another (a plain
/// job is one segment), with offsets, one more than there are segments.
struct Division {
    std::vector<Share> shares;
    std::vector<std::uint32_t> segment_begin{0};
    Cost cost{};
    IslandRule island_rule;  ///< of the problem that this answers

    void close_segment() { segment_begin.push_back(static_cast<std::uint32_t>(shares.size())); }
};

/// Cuts `shares` (in this order) into segments of `segment_nodes` nodes and appends them.
inline void append_segments(Division& division, std::span<const Share> shares,
                            std::uint32_t segment_nodes) {
    std::uint32_t open = 0;
    for (Share share : shares) {
        while (share.nodes > 0) {
            const std::uint32_t nodes = std::min(share.nodes, segment_nodes - open);
            division.shares.push_back({share.block, nodes});
            share.nodes -= nodes;
            open += nodes;
            if (open < segment_nodes) continue;
            division.close_segment();
            open = 0;
        }
    }
}

}  // namespace nvl72block
