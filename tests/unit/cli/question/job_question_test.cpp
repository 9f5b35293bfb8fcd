// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/job_question.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(JobQuestion, Constraints) {
    EXPECT_EQ(meets_constraint("blue,nvl", ""), true);
    EXPECT_EQ(meets_constraint("blue,nvl", "nvl"), true);
    EXPECT_EQ(meets_constraint("blue,nvl", "nv"), false);
    EXPECT_EQ(meets_constraint("blue,nvl", "blue&red"), false);
    EXPECT_EQ(meets_constraint("blue,nvl", "blue|red"), true);
    EXPECT_EQ(meets_constraint("", "blue|red"), false);
    EXPECT_EQ(meets_constraint("blue", "[blue*4&red*2]"), std::nullopt);
}

}  // namespace
}  // namespace nvl72block::cli
