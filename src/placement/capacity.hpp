// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs whose CPUs and GPUs must suffice in total, beyond the number of nodes.
#pragma once

#include <optional>

#include "nvl72block/placement.hpp"
#include "placement/effort.hpp"

namespace nvl72block {

/// True when the nodes' CPUs and GPUs cover what the job asks for in total.
[[nodiscard]] bool holds_capacity(const Request& request, const State& state,
                                  const Placement& placement);

/// A job of a given node count (or range) with totals: the preferred placement if it holds them,
/// else the placement with the most CPUs, the most GPUs or the best mix of both.
[[nodiscard]] std::optional<Placement> place_with_capacity(const Topology& topology,
                                                           const Request& request,
                                                           const State& state, Effort& effort);

/// A job without a node count (Request::sized_by_capacity): the fewest nodes that hold it, at the
/// smallest level that can.
[[nodiscard]] std::optional<Placement> place_by_capacity(const Topology& topology,
                                                         const Request& request, const State& state,
                                                         Effort& effort);

}  // namespace nvl72block
