// SPDX-License-Identifier: GPL-2.0-or-later
#include "throughput/fabric.hpp"

#include <gtest/gtest.h>

namespace nvl72block::throughput {
namespace {

constexpr double large = 1e12;  // so much that fixed times do not count

TEST(Fabric, EvenPartsAreWholeNodes) {
    EXPECT_EQ(even_parts(16, 1), (Parts{64}));
    EXPECT_EQ(even_parts(17, 2), (Parts{36, 32}));
    EXPECT_EQ(one_per_rack(3), (Parts{1, 1, 1}));
}

TEST(Fabric, OneGpuHasNothingToExchange) {
    EXPECT_EQ(all_reduce(gb200, large, Parts{1}), 0);
    EXPECT_EQ(all_gather(gb200, large, Parts{1}), 0);
    EXPECT_EQ(all_to_all(gb200, large, Parts{1}), 0);
}

TEST(Fabric, MoreRacksAndSmallerPartsTakeLonger) {
    const std::vector<Parts> slower = {{64}, {32, 32}, {48, 16}, {60, 4}};
    for (std::size_t i = 1; i < slower.size(); ++i) {
        EXPECT_GT(all_reduce(gb200, large, slower[i]), all_reduce(gb200, large, slower[i - 1]));
        EXPECT_GT(all_gather(gb200, large, slower[i]), all_gather(gb200, large, slower[i - 1]));
        EXPECT_GT(all_to_all(gb200, large, slower[i]), all_to_all(gb200, large, slower[i - 1]));
    }
}

/// 64 GPUs, of which each half fetches half of the bytes over the network of its 32 GPUs.
TEST(Fabric, WhatARackLacksComesOverItsOwnNetwork) {
    const double across = large / 2 / (32 * gb200.outside);
    EXPECT_NEAR(all_gather(gb200, large, Parts{32, 32}) - all_gather(gb200, large, Parts{32}),
                across, across / 1000);
}

TEST(Fabric, TwiceTheNetworkHalvesWhatGoesAcross) {
    const auto across = [](const Fabric& fabric) {
        return all_gather(fabric, large, Parts{32, 32}) - all_gather(fabric, large, Parts{32});
    };
    EXPECT_NEAR(across(gb300) / across(gb200), 0.5, 0.001);
}

TEST(Fabric, GpusWithOnePeerPerRackDoNotContend) {
    const double few = all_gather(gb200, large, one_per_rack(2)) / (1 - 1.0 / 2);
    const double many = all_gather(gb200, large, one_per_rack(20)) / (1 - 1.0 / 20);
    EXPECT_NEAR(many / few, 1, 0.001);
    EXPECT_GT(all_gather(gb200, large, Parts(20, 72)) / all_gather(gb200, large, Parts(2, 72)),
              1.5);
}

}  // namespace
}  // namespace nvl72block::throughput
