// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/natural_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace nvl72block::cli {
namespace {

TEST(NaturalOrder, SortsNumbersByValue) {
    std::vector<std::string> names = {"n10", "n9", "n1", "m2", "n", "r1n2", "r1n10", "r01n3"};
    std::sort(names.begin(), names.end(), natural_less);
    EXPECT_EQ(names,
              (std::vector<std::string>{"m2", "n", "n1", "n9", "n10", "r1n2", "r01n3", "r1n10"}));
}

TEST(NaturalOrder, FewerLeadingZerosComeFirst) {
    EXPECT_TRUE(natural_less("n1", "n01"));
    EXPECT_FALSE(natural_less("n01", "n1"));
    EXPECT_FALSE(natural_less("n01", "n01"));
}

TEST(NaturalOrder, TakesNumbersOfAnyLength) {
    const std::string nines(60, '9');
    EXPECT_TRUE(natural_less("n" + nines, "n1" + std::string(60, '0')));
}

}  // namespace
}  // namespace nvl72block::cli
