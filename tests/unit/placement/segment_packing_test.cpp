// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/segment_packing.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

namespace nvl72block {
namespace {

void* pack_many_parts(void* fitting) {
    std::vector<PackingPart> parts(60000);
    for (std::uint32_t part = 0; part < parts.size(); ++part) parts[part] = {1, part, 0};
    std::uint64_t steps = 0;
    const Packing packing = pack_segments(parts, {2, 2, 2, true}, 1U << 17, steps);
    *static_cast<std::size_t*>(fitting) = packing.layers.size() - 1;
    return nullptr;
}

// The enumeration recursed once a part: a site of many racks overran the stack of a daemon's
// thread.
TEST(SegmentPacking, NeedsNoStackForManyParts) {
    pthread_attr_t small;
    ASSERT_EQ(pthread_attr_init(&small), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&small, 1U << 20), 0);
    pthread_t thread{};
    std::size_t fitting = 0;
    ASSERT_EQ(pthread_create(&thread, &small, pack_many_parts, &fitting), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&small);
    EXPECT_EQ(fitting, 2U);
}

}  // namespace
}  // namespace nvl72block
