// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/segment_rule.hpp"

#include <gtest/gtest.h>

namespace nvl72block::replay {
namespace {

TEST(SegmentRule, FollowsNvidiasAdvice) {
    const SegmentRule rule = SegmentRule::parse("nvidia").value();
    EXPECT_EQ(rule.segment(1), 1U);
    EXPECT_EQ(rule.segment(7), 1U);
    EXPECT_EQ(rule.segment(8), 4U);
    EXPECT_EQ(rule.segment(31), 4U);
    EXPECT_EQ(rule.segment(32), 16U);
    EXPECT_EQ(rule.rounded(7), 7U);
    EXPECT_EQ(rule.rounded(9), 12U);
    EXPECT_EQ(rule.rounded(124), 128U);
}

TEST(SegmentRule, ReadsStepsInAnyOrder) {
    const SegmentRule rule = SegmentRule::parse("1:0,8:4").value();
    EXPECT_EQ(rule.segment(7), 0U);
    EXPECT_EQ(rule.rounded(7), 7U);
    EXPECT_EQ(rule.segment(9), 4U);
    EXPECT_EQ(SegmentRule::parse("plain").value().segment(100), 0U);
    // a job smaller than its segment is one segment
    EXPECT_EQ(SegmentRule::parse("1:16").value().rounded(5), 5U);
}

TEST(SegmentRule, RoundsToWholeSegments) {
    EXPECT_EQ(rounded_to(4, 9), 12U);
    EXPECT_EQ(rounded_to(4, 3), 3U);
    EXPECT_EQ(rounded_to(0, 9), 9U);
}

TEST(SegmentRule, RefusesWhatIsNoRule) {
    for (const char* text : {"", "x", "8", "8:", ":4", "8:4;", "-8:4", "8:4x", "8:99999999999"})
        EXPECT_FALSE(SegmentRule::parse(text)) << text;
}

}  // namespace
}  // namespace nvl72block::replay
