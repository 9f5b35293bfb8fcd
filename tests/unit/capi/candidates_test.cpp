// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary hands candidates over field by field and tolerates empty lists.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "nvl72block/engine.h"

namespace {

nvl72block_candidate candidate(std::uint32_t node, std::uint32_t group, std::uint64_t weight,
                               std::uint32_t gpus, std::uint32_t cpus, bool required) {
    return {.node = node,
            .group = group,
            .weight = weight,
            .gpus = gpus,
            .cpus = cpus,
            .required = required};
}

TEST(CCandidates, SurplusNodesAreWritten) {
    const std::array candidates = {candidate(3, 1, 5, 4, 72, false),
                                   candidate(8, 1, 4, 4, 72, false),
                                   candidate(9, 0, 0, 0, 0, true)};
    const std::array<std::uint32_t, 2> room = {0, 1};
    std::array<std::uint32_t, 3> surplus = {};
    nvl72block_error error;
    EXPECT_EQ(nvl72block_surplus(candidates.data(), candidates.size(), room.data(), room.size(),
                                 surplus.data(), &error),
              1U);
    EXPECT_EQ(error.code, NVL72BLOCK_OK);
    EXPECT_EQ(surplus[0], 3U);
    EXPECT_EQ(nvl72block_surplus(nullptr, 0, nullptr, 0, nullptr, nullptr), 0U);
}

TEST(CCandidates, TheWeakestNodeIsNamed) {
    const std::array candidates = {candidate(3, 0, 0, 2, 72, false),
                                   candidate(8, 0, 0, 2, 36, false),
                                   candidate(9, 0, 0, 1, 1, true)};
    EXPECT_EQ(nvl72block_weakest(candidates.data(), candidates.size(), nullptr), 8U);
    EXPECT_EQ(nvl72block_weakest(&candidates[2], 1, nullptr), NVL72BLOCK_NO_NODE);
    EXPECT_EQ(nvl72block_weakest(nullptr, 0, nullptr), NVL72BLOCK_NO_NODE);
}

}  // namespace
