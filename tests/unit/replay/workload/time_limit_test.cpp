// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/time_limit.hpp"

#include <gtest/gtest.h>

#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

TEST(TimeLimit, IsRoundedUpToWhatPeopleAskFor) {
    EXPECT_EQ(rounded_limit(1), 600);
    EXPECT_EQ(rounded_limit(600), 600);
    EXPECT_EQ(rounded_limit(601), 1800);
    EXPECT_EQ(rounded_limit(5 * hour), 8 * hour);
    EXPECT_EQ(rounded_limit(25 * hour), 2 * day);
    EXPECT_EQ(rounded_limit(15 * day), 30 * day);
    EXPECT_EQ(rounded_limit(61 * day), 90 * day);
}

TEST(TimeLimit, ARecordedOneCountsUnlessExactLimitsAreWanted) {
    EXPECT_EQ(time_limit(Limits::exact, 100, 5000), 100);
    EXPECT_EQ(time_limit(Limits::typical, 100, 5000), 5000);
    EXPECT_EQ(time_limit(Limits::typical, 100, 50), 100);  // it ran over its limit
    EXPECT_EQ(time_limit(Limits::typical, 100, 0), 600);
}

TEST(TimeLimit, HasTwoNames) {
    EXPECT_EQ(parse_limits("exact"), Limits::exact);
    EXPECT_EQ(parse_limits("typical"), Limits::typical);
    EXPECT_EQ(parse_limits(""), std::nullopt);
}

}  // namespace
}  // namespace nvl72block::replay
