// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/part_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace nvl72block {
namespace {

/// By trying all: the parts from `at` on that `left` has are alone, in a pair, or unused.
std::uint32_t most_by_trying(const std::vector<std::uint32_t>& free, std::uint32_t nodes,
                             std::uint32_t left) {
    if (left == 0) return 0;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t others = left & (left - 1);
    std::uint32_t most = most_by_trying(free, nodes, others) + (free[first] >= nodes ? 1 : 0);
    for (std::uint32_t part = first + 1; part < free.size(); ++part)
        if ((others >> part & 1) != 0 && free[first] + free[part] >= nodes)
            most = std::max(most, 1 + most_by_trying(free, nodes, others & ~(1U << part)));
    return most;
}

TEST(PartGrouping, BoundIsNoLessThanWhatPairsGive) {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::uint32_t> free(random() % 8);
        for (std::uint32_t& nodes : free) nodes = static_cast<std::uint32_t>(random() % 10);
        const std::uint32_t nodes = static_cast<std::uint32_t>(1 + random() % 12);
        std::vector<SegmentPart> parts;
        for (const std::uint32_t each : free) parts.push_back({.free = each});
        Effort effort;
        EXPECT_GE(PartGrouping(parts, {.nodes = nodes, .max_parts = 2}, effort).bound(),
                  most_by_trying(free, nodes, (1U << free.size()) - 1))
            << ::testing::PrintToString(free) << " for " << nodes;
    }
}

// Eight parts of 3 have 24 nodes, but 3 segments from 3 parts each would need 8 parts in two
// groups, of 3 or 5 parts, and a group of 5 lacks 10 of 8.
TEST(PartGrouping, BoundCountsThePartsThatAGroupCanHave) {
    const std::vector<SegmentPart> parts(8, {.free = 3});
    Effort effort;
    EXPECT_EQ(PartGrouping(parts, {.nodes = 8, .max_parts = 3}, effort).bound(), 2U);
}

}  // namespace
}  // namespace nvl72block
