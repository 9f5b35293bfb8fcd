// SPDX-License-Identifier: GPL-2.0-or-later
//
// The plain rule of docs/placement.md as numbers, for the baselines and for judging segments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "nvl72block/topology.hpp"

namespace nvl72block::replay {

struct PlainRule {
    /// Index of the level in whose block n nodes lie; nullopt: the whole.
    std::optional<std::size_t> level;
    std::size_t lower_level = 0;     ///< index of the next level below
    std::uint32_t lower_blocks = 1;  ///< most blocks of the lower level
};

[[nodiscard]] PlainRule plain_rule(const Topology& topology, std::uint32_t nodes);

/// True if `nodes` lie as the plain rule asks of that many.
[[nodiscard]] bool obeys_plain_rule(const Topology& topology, std::span<const NodeIndex> nodes);

}  // namespace nvl72block::replay
