// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether nodes lie as the plain rule of docs/placement.md asks: what segments are judged by.
#pragma once

#include <span>

#include "nvl72block/topology.hpp"

namespace nvl72block::replay {

/// True if `nodes` lie as the plain rule asks of that many.
[[nodiscard]] bool obeys_plain_rule(const Topology& topology, std::span<const NodeIndex> nodes);

}  // namespace nvl72block::replay
