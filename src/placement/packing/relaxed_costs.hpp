// SPDX-License-Identifier: GPL-2.0-or-later
//
// The least cost of as many nodes as some segments have, as if segments could be cut anyhow: a
// lower bound on the cost of every way to give these segments. These are the tables of the exact
// search for a plain job in the vertex.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/search/tree_search.hpp"

namespace nvl72block {

class RelaxedCosts {
  public:
    /// For `least` to `most` segments. The costs of base blocks are known at once.
    RelaxedCosts(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most,
                 Effort& effort);
    RelaxedCosts(const RelaxedCosts&) = delete;
    RelaxedCosts& operator=(const RelaxedCosts&) = delete;

    /// Makes the tables of all amounts. False without enough steps or room.
    [[nodiscard]] bool find();
    /// Whether find() has made them.
    [[nodiscard]] bool found() const { return found_; }
    /// The amounts of nodes that so many segments have, by base blocks (0 where these are not
    /// limited); none if that is impossible.
    [[nodiscard]] std::vector<LabelKey> amounts(std::uint32_t segments) const;
    /// With the cost of the vertex itself.
    [[nodiscard]] Cost cost(const LabelKey& amount) const;
    /// The nodes of that cost, by ascending base block.
    [[nodiscard]] std::vector<Share> taken(const LabelKey& amount) const;

    /// What a block below the vertex can give; of a base block also before find().
    [[nodiscard]] const LabelTable& part(std::size_t level, std::uint32_t index) const {
        return level == 0 ? costs_[tree_.shape_of(0, index)] : search_.table(level, index);
    }
    /// Appends the shares of the base blocks of a block below the vertex.
    void read(std::size_t level, std::uint32_t index, const LabelKey& amount,
              std::vector<Share>& shares) const;

  private:
    const PackedVertex& vertex_;
    const Problem nodes_;  // a plain job in the vertex
    const ShapeTree tree_;
    const std::vector<LabelTable> costs_;
    const Prices prices_;
    const std::optional<Cost> known_;  // none: every amount counts
    Effort& effort_;
    TreeSearch search_;
    bool found_ = false;
};

}  // namespace nvl72block
