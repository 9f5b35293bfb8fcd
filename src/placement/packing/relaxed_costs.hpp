// SPDX-License-Identifier: GPL-2.0-or-later
//
// The least cost of as many nodes as some segments have, as if segments could be cut anyhow: a
// lower bound on the cost of every way to give these segments.
#pragma once

#include <cstdint>
#include <vector>

#include "placement/packing/node_costs.hpp"
#include "placement/packing/ways.hpp"

namespace nvl72block {

class RelaxedCosts {
  public:
    /// For up to `most` segments. Without enough steps or room, ok() is false.
    RelaxedCosts(const PackedVertex& vertex, std::uint32_t most, Effort& effort);

    [[nodiscard]] bool ok() const { return ok_; }
    /// The amounts of nodes that so many segments have, by base blocks (0 where these are not
    /// limited); none if that is impossible.
    [[nodiscard]] std::vector<LabelKey> amounts(std::uint32_t segments) const;
    /// With the cost of the vertex itself.
    [[nodiscard]] Cost cost(const LabelKey& amount) const;
    /// The nodes of that cost, by ascending base block.
    [[nodiscard]] std::vector<Share> taken(const LabelKey& amount);

  private:
    void find_parts(std::uint32_t most);

    const PackedVertex& vertex_;
    Effort& effort_;
    AmountTables tables_;
    std::vector<std::uint32_t> children_;   // of the vertex, those that are worth joining
    std::vector<const LabelTable*> parts_;  // their tables
    std::vector<LabelTable> joined_;
    bool ok_ = false;
};

}  // namespace nvl72block
