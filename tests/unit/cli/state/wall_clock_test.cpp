// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/wall_clock.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(WallClock, ReadsTimes) {
    const auto time = parse_time("2026-11-22T20:51:14");
    ASSERT_TRUE(time);
    EXPECT_EQ(time_text(*time), "2026-11-22 20:51");
    EXPECT_EQ(parse_time("1970-01-02T00:00:01"), 86401);
    EXPECT_FALSE(parse_time("Unknown"));
    EXPECT_FALSE(parse_time("2026-13-22T20:51:14"));
    EXPECT_EQ(short_time(*time + 60, *time), "20:52");
    EXPECT_EQ(short_time(*time + 86400, *time), "2026-11-23 20:51");
}

TEST(WallClock, ReadsDurations) {
    EXPECT_EQ(parse_duration("01:30:00"), 5400);
    EXPECT_EQ(parse_duration("365-00:00:00"), 365 * 86400);
    EXPECT_FALSE(parse_duration("UNLIMITED"));
    EXPECT_FALSE(parse_duration("NONE"));
}

TEST(WallClock, ReadsTimeLimitsAsSbatchDoes) {
    EXPECT_EQ(parse_time_limit("90"), 5400);
    EXPECT_EQ(parse_time_limit("30:00"), 1800);
    EXPECT_EQ(parse_time_limit("4:00:00"), 14400);
    EXPECT_EQ(parse_time_limit("1-12"), 129600);
    EXPECT_EQ(parse_time_limit("1-12:30"), 131400);
    for (const char* text : {"", "x", "1:2:3:4", "1-", "-1", "1-2-3"})
        EXPECT_FALSE(parse_time_limit(text)) << text;
}

TEST(WallClock, WritesDurations) {
    EXPECT_EQ(duration_text(45), "45 s");
    EXPECT_EQ(duration_text(7800), "2 h 10 min");
    EXPECT_EQ(duration_text(3600), "1 h");
    EXPECT_EQ(duration_text(3 * 86400 + 4 * 3600), "3 d 4 h");
}

}  // namespace
}  // namespace nvl72block::cli
