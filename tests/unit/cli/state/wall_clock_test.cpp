// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/wall_clock.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(WallClock, WritesTimes) {
    const auto time = parse_time("2026-11-22T20:51:14");
    ASSERT_TRUE(time);
    EXPECT_EQ(time_text(*time), "2026-11-22 20:51");
    EXPECT_EQ(short_time(*time + 60, *time), "20:52");
    EXPECT_EQ(short_time(*time + 86400, *time), "2026-11-23 20:51");
}

TEST(WallClock, WritesDurations) {
    EXPECT_EQ(duration_text(45), "45 s");
    EXPECT_EQ(duration_text(7800), "2 h 10 min");
    EXPECT_EQ(duration_text(3600), "1 h");
    EXPECT_EQ(duration_text(3 * 86400 + 4 * 3600), "3 d 4 h");
}

}  // namespace
}  // namespace nvl72block::cli
