// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which level a number of nodes must lie in (docs/placement.md, "Hard constraints").
#pragma once

#include <cstddef>
#include <cstdint>

#include "nvl72block/topology.hpp"

namespace nvl72block {

/// The plain rule for some number of nodes: one block of `level`, in it at most `limit` blocks of
/// `lower`. A level equal to topology.levels().size() is the whole.
struct PlainRule {
    std::size_t level = 0;
    std::size_t lower = 0;
    std::uint32_t limit = 1;
};

/// For 1 node or more.
[[nodiscard]] inline PlainRule plain_rule(const Topology& topology, std::uint64_t nodes) {
    const auto levels = topology.levels();
    PlainRule rule;
    while (rule.level < levels.size() && levels[rule.level].nodes < nodes) ++rule.level;
    rule.lower = rule.level == 0 ? 0 : rule.level - 1;
    const std::uint64_t size = levels[rule.lower].nodes;
    rule.limit = static_cast<std::uint32_t>((nodes + size - 1) / size);
    return rule;
}

}  // namespace nvl72block
