// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first answer where segments larger than a base block have to be packed: they are put together
// by rules of thumb, block of the unit level by block.
#pragma once

#include <optional>

#include "placement/rules/problem.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// A division that keeps every rule, required nodes included; nullopt if none is found, which
/// proves nothing.
[[nodiscard]] std::optional<Division> build_segments(const Tally& tally, const CostLayout& layout,
                                                     const Problem& problem, Effort& effort);

}  // namespace nvl72block
