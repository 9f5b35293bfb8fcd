// SPDX-License-Identifier: GPL-2.0-or-later
//
// What every amount costs that a base block can give, one table per shape of base blocks.
#pragma once

#include <vector>

#include "placement/search/label_table.hpp"
#include "placement/search/shape_tree.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// Tables by shape of level 0; the labels have no worth yet. A job that lies in one base block
/// needs only the label of its own size.
[[nodiscard]] std::vector<LabelTable> block_costs(const Tally& tally, const CostLayout& layout,
                                                  const Problem& problem, const ShapeTree& tree,
                                                  Effort& effort);

/// No less than the steps that block_costs() takes.
[[nodiscard]] std::uint64_t block_costs_steps(const Tally& tally, const ShapeTree& tree);

}  // namespace nvl72block
