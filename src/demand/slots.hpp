// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slots that a decision prefers to keep: per level how large they are and what one is worth.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nvl72block/demand.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// Room for a segment or a job of so many nodes in one block.
struct Slot {
    std::uint32_t nodes = 1;
    std::uint32_t value = 1;  ///< 1 to most_slot_value
};

/// The most that one slot is worth, relative to the others.
inline constexpr std::uint32_t most_slot_value = 255;

/// Slots in blocks of one level.
using Slots = std::vector<Slot>;

/// By level, as docs/placement.md has them ("Slots"); values are divided by what all have in
/// common. `single_nodes_matter`: some usable node is not idle.
[[nodiscard]] std::vector<Slots> slots_by_level(const Topology& topology,
                                                std::span<const DemandSize> demand,
                                                bool single_nodes_matter);

/// What is lost when `taken` of `idle` nodes of a block are taken.
[[nodiscard]] inline std::uint64_t lost_value(const Slots& slots, std::uint32_t idle,
                                              std::uint32_t taken) {
    std::uint64_t value = 0;
    for (const Slot& slot : slots)
        value += std::uint64_t{idle / slot.nodes - (idle - taken) / slot.nodes} * slot.value;
    return value;
}

}  // namespace nvl72block
