// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/capacity/job_mix.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(TaskCount, ListsRangesAndSteps) {
    EXPECT_EQ(task_count("3"), 1U);
    EXPECT_EQ(task_count("1-4%2"), 4U);
    EXPECT_EQ(task_count("1-9:2,12"), 6U);
    EXPECT_EQ(task_count("1,3-4,7"), 4U);
}

TEST(TaskCount, AnythingElseIsOneTask) {
    for (const char* text : {"", "x", "4-1", "1-4:0", "1-9,...", "0-4294967295"})
        EXPECT_EQ(task_count(text), 1U) << text;
}

}  // namespace
}  // namespace nvl72block::cli
