// SPDX-License-Identifier: GPL-2.0-or-later
//
// An order of the base blocks that depends on what they offer and not on where they stand in the
// file, so that a search which breaks ties by position answers alike for every order of equal
// blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "placement/state/tally.hpp"

namespace nvl72block {

/// The base blocks in canonical order: order[k] is the block that has position k. Complete blocks
/// of each level are sorted by what they offer inside their block of the level above, those that
/// offer the same in file order; an incomplete one stays last. So every block of every level keeps
/// its members.
[[nodiscard]] std::vector<BlockIndex> canonical_order(const Tally& tally);

/// A tally in canonical order, made when a search first asks for it and kept for those after it.
class CanonicalTally {
  public:
    struct Sorted {
        std::vector<BlockIndex> order;
        Tally tally;
    };

    /// `tally` must be the same in every call. Adds what is done to `steps`.
    [[nodiscard]] const Sorted& of(const Tally& tally, std::uint64_t& steps) const;

  private:
    mutable std::shared_ptr<const Sorted> sorted_;
};

}  // namespace nvl72block
