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

TEST(Times, ReadsMomentsAsSbatchDoes) {
    constexpr SlurmTime now = 86400 + 15 * 3600 + 30 * 60 + 20;  // 1970-01-02 15:30:20
    EXPECT_EQ(parse_moment("now", now), now);
    EXPECT_EQ(parse_moment("now+90", now), now + 90);
    EXPECT_EQ(parse_moment("now+1minute", now), now + 60);
    EXPECT_EQ(parse_moment("now+2hours", now), now + 7200);
    EXPECT_EQ(parse_moment("now+1days", now), now + 86400);
    EXPECT_EQ(parse_moment("now+1week", now), now + 7 * 86400);
    EXPECT_EQ(parse_moment("16:00", now), 86400 + 16 * 3600);
    EXPECT_EQ(parse_moment("15:30:40", now), 2 * 86400 + 15 * 3600 + 30 * 60 + 40);
    EXPECT_EQ(parse_moment("9:05", now), 2 * 86400 + 9 * 3600 + 5 * 60);
    EXPECT_EQ(parse_moment("1970-01-05", now), 4 * 86400);
    EXPECT_EQ(parse_moment("1970-01-05T20:51", now), 4 * 86400 + 20 * 3600 + 51 * 60);
    EXPECT_EQ(parse_moment("1970-01-05T20:51:14", now), 4 * 86400 + 20 * 3600 + 51 * 60 + 14);
    for (const char* text :
         {"", "teatime", "now+", "now+h", "now+2fortnights", "now-1hour", "now 1", "112226",
          "25:00", "16:00pm", "1:2:3:4", "1970-02-30", "1970-01-05 20:51x", "1970-01-05T", "16"})
        EXPECT_FALSE(parse_moment(text, now)) << text;
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
