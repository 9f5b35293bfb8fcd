// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/times.hpp"

#include <gtest/gtest.h>

namespace nvl72block {
namespace {

TEST(Times, ReadsTimes) {
    EXPECT_EQ(parse_time("1970-01-02T00:00:01"), 86401);
    EXPECT_EQ(parse_time("1970-01-02 00:00:01"), 86401);
    EXPECT_EQ(parse_time("2028-02-29T00:00:00"), 1835395200);
    for (const char* text : {"", "Unknown", "N/A", "2026-13-22T20:51:14", "2026-02-29T00:00:00",
                             "2026-11-22T24:00:00", "2026-11- 2T20:51:14", "2026-11-22X20:51:14",
                             "2026-11-22T20:51:14Z", " 026-11-22T20:51:14"})
        EXPECT_FALSE(parse_time(text)) << text;
}

TEST(Times, ReadsTimeLimitsAsSbatchDoes) {
    EXPECT_EQ(parse_time_limit("90"), 5400);
    EXPECT_EQ(parse_time_limit("30:00"), 1800);
    EXPECT_EQ(parse_time_limit("4:00:00"), 14400);
    EXPECT_EQ(parse_time_limit("1-12"), 129600);
    EXPECT_EQ(parse_time_limit("1-12:30"), 131400);
    EXPECT_EQ(parse_time_limit("365-00:00:00"), 365 * 86400);
    for (const char* text : {"", "x", "1:2:3:4", "1-", "-1", "1-2-3", "UNLIMITED", "NONE"})
        EXPECT_FALSE(parse_time_limit(text)) << text;
}

}  // namespace
}  // namespace nvl72block
