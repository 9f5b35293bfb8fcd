// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which node counts the same rule judges.
#pragma once

#include <cstdint>

#include "nvl72block/placement.hpp"

namespace nvl72block {

/// Node counts that share one rule: the same levels and the same limit on lower blocks.
struct CountInterval {
    std::uint64_t least = 1;
    std::uint64_t most = 1;
};

/// The counts that the rule of `nodes` judges, `nodes` among them.
[[nodiscard]] CountInterval counts_of_one_rule(const Topology& topology, const Request& request,
                                               std::uint32_t nodes);

/// The smallest count from `count` up that the rules of segments allow; it may lie above the
/// request's maximum.
[[nodiscard]] inline std::uint64_t next_count(const Request& request, std::uint64_t count) {
    const std::uint64_t segment = request.segment_size;
    if (segment == 0 || count <= segment) return count;
    return (count + segment - 1) / segment * segment;
}

}  // namespace nvl72block
