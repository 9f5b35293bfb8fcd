// SPDX-License-Identifier: GPL-2.0-or-later
//
// An order of the base blocks that depends on what they offer and not on where they stand in the
// file, so that a search which breaks ties by position answers alike for every order of equal
// blocks.
#pragma once

#include <vector>

#include "placement/state/tally.hpp"

namespace nvl72block {

/// The base blocks in canonical order: order[k] is the block that has position k. Complete blocks
/// of each level are sorted by what they offer inside their block of the level above, those that
/// offer the same in file order; an incomplete one stays last. So every block of every level keeps
/// its members.
[[nodiscard]] std::vector<BlockIndex> canonical_order(const Tally& tally);

}  // namespace nvl72block
