// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/word_sums.hpp"

#include <gtest/gtest.h>

#include <array>

namespace nvl72block {
namespace {

using Row = std::array<std::uint64_t, 3>;

TEST(WordSums, EveryWordOfTheSumCounts) {
    const Row a{1, 2, 3};
    const Row b{10, 20, 30};
    EXPECT_TRUE(is_sum(Row{11, 22, 33}.data(), a.data(), b.data(), 3));
    EXPECT_FALSE(is_sum(Row{11, 22, 34}.data(), a.data(), b.data(), 3));
    EXPECT_FALSE(is_sum(Row{12, 22, 33}.data(), a.data(), b.data(), 3));
    EXPECT_TRUE(is_sum(Row{11, 22, 34}.data(), a.data(), b.data(), 2));
}

TEST(WordSums, ARowIsLoweredByTheFirstWordThatDiffers) {
    const Row a{1, 2, 3};
    const Row b{0, 5, 0};  // together 1 7 3
    Row row{1, 8, 0};
    EXPECT_TRUE(lower_to_sum(row.data(), a.data(), b.data(), 3));
    EXPECT_EQ(row, (Row{1, 7, 3}));
    EXPECT_FALSE(lower_to_sum(row.data(), a.data(), b.data(), 3));
    row = {0, 9, 9};
    EXPECT_FALSE(lower_to_sum(row.data(), a.data(), b.data(), 3));
    EXPECT_EQ(row, (Row{0, 9, 9}));
    row = {2, 0, 0};
    EXPECT_TRUE(lower_to_sum(row.data(), a.data(), b.data(), 3));
    EXPECT_EQ(row, (Row{1, 7, 3}));
}

}  // namespace
}  // namespace nvl72block
