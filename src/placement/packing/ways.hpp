// SPDX-License-Identifier: GPL-2.0-or-later
//
// What pack_vertex() collects: the best ways found, and what is known of the others.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "placement/packing/packing.hpp"

namespace nvl72block {

/// The vertex of the unit level that segments are packed into.
struct PackedVertex {
    const Tally& tally;
    const CostLayout& layout;
    const Problem& problem;
    std::uint32_t index;

    [[nodiscard]] std::size_t level() const { return problem.unit_level; }
    [[nodiscard]] std::size_t lower() const { return problem.unit_level - 1; }
    /// Base blocks that x segments use at least.
    [[nodiscard]] std::uint32_t least_blocks(std::uint32_t segments) const;
};

class PackedCollector {
  public:
    PackedCollector(const PackedVertex& vertex, Effort& effort)
        : vertex_(vertex), effort_(effort) {}

    /// What the taken nodes cost.
    [[nodiscard]] Cost cost_of(const std::vector<Share>& taken) const;

    /// Whether a way that takes these nodes is better than what is known, within the limit on base
    /// blocks.
    [[nodiscard]] bool is_better(std::uint32_t segments, const std::vector<Share>& taken) const;
    /// Keeps a way that is_better().
    void keep(std::uint32_t segments, const std::vector<Share>& taken,
              std::vector<std::vector<Share>> shares);

    [[nodiscard]] bool has(std::uint32_t segments) const;
    /// The cost of the best way known, impossible if none.
    [[nodiscard]] Cost best_cost(std::uint32_t segments, std::uint32_t blocks) const;

    [[nodiscard]] std::vector<PackedWay> ways() &&;

    /// The key of ways that use so many base blocks: 0 where they are not limited.
    [[nodiscard]] std::uint32_t blocks_key(std::size_t blocks) const {
        return vertex_.problem.max_base_blocks == 0 ? 0 : static_cast<std::uint32_t>(blocks);
    }

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // segments, base blocks
    const PackedVertex& vertex_;
    Effort& effort_;
    std::map<Key, PackedWay> cheapest_;
};

/// Ways for segments that share base blocks, and for segments that do not.
[[nodiscard]] PackedWays pack_shared(const PackedVertex& vertex, std::uint32_t least,
                                     std::uint32_t most, Effort& effort);
[[nodiscard]] PackedWays pack_spread(const PackedVertex& vertex, std::uint32_t least,
                                     std::uint32_t most, Effort& effort);
[[nodiscard]] std::vector<PackedWay> construct_shared(const PackedVertex& vertex,
                                                      std::uint32_t segments, Effort& effort);
[[nodiscard]] std::vector<PackedWay> construct_spread(const PackedVertex& vertex,
                                                      std::uint32_t segments, Effort& effort);
[[nodiscard]] std::uint32_t most_shared(const Tally& tally, const Problem& problem,
                                        std::uint32_t vertex, Effort& effort);
[[nodiscard]] std::uint32_t most_spread(const Tally& tally, const Problem& problem,
                                        std::uint32_t vertex, Effort& effort);

}  // namespace nvl72block
