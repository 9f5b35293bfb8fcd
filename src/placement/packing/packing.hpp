// SPDX-License-Identifier: GPL-2.0-or-later
//
// Segments larger than the planning size: what one block of the unit level can give.
//
// Such a segment draws from at most m blocks of the next lower level ("parts"; with spread also
// from base blocks of its own). README.md tells how, with an example ("Packed segments"): a
// construction, the least cost as if segments could be cut anyhow, all sets of parts.
#pragma once

#include <cstdint>
#include <vector>

#include "placement/preference/cost.hpp"
#include "placement/rules/problem.hpp"
#include "placement/state/effort.hpp"
#include "placement/state/tally.hpp"

namespace nvl72block {

/// Whether segments must be packed at a vertex of the unit level: more of its parts have usable
/// nodes than one segment may draw from, or each segment needs base blocks of its own.
[[nodiscard]] bool needs_packing(const Tally& tally, const Problem& problem, std::uint32_t vertex);

/// Whether that is so at any vertex of the unit level.
[[nodiscard]] bool packs_segments(const Tally& tally, const Problem& problem);

/// The vertex of the unit level that segments are packed into.
struct PackedVertex {
    const CostLayout& layout;
    const Problem& problem;
    std::uint32_t index;

    [[nodiscard]] const Tally& tally() const { return layout.tally(); }
    [[nodiscard]] std::size_t level() const { return problem.unit_level; }
};

/// One way to give some segments.
struct PackedWay {
    std::uint32_t segments = 0;
    std::uint32_t base_blocks = 0;
    Cost cost{};                             ///< of base blocks and of the levels up to the vertex
    std::vector<std::vector<Share>> shares;  ///< per segment, by ascending base block
};

struct PackedWays {
    std::vector<PackedWay> ways;  ///< by ascending segments, then base blocks
    /// For every number of segments that is possible a best way by preferences 1 to 5 is there,
    /// where base blocks are limited one per possible number of them.
    bool exact = true;
    /// Without a way for some number of segments, and of base blocks where these are limited, there
    /// is none.
    bool complete = true;
};

/// Ways to give `least` to `most` segments from one vertex, all of whose required nodes are taken,
/// in at most problem.max_base_blocks base blocks. The construction costs O(parts log parts) steps
/// for each number of segments; beyond the budget it is made for `least` and `most` alone.
[[nodiscard]] PackedWays pack_vertex(const PackedVertex& vertex, std::uint32_t least,
                                     std::uint32_t most, Effort& effort);

/// Ways to give `segments` segments, 1 or more, that rules of thumb find, by ascending base blocks
/// where these are limited; none proves nothing.
[[nodiscard]] std::vector<PackedWay> construct_ways(const PackedVertex& vertex,
                                                    std::uint32_t segments, Effort& effort);

/// No more segments than this fit into the vertex, whatever is required there.
[[nodiscard]] std::uint32_t most_packed(const Tally& tally, const Problem& problem,
                                        std::uint32_t vertex, Effort& effort);

}  // namespace nvl72block
