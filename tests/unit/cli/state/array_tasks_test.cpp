// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {
namespace {

JobRecord array_of(const char* tasks) {
    JobRecord job;
    job.array_id = 7;
    job.array_tasks = tasks;
    return job;
}

TEST(ArrayTasks, OneOfThem) {
    EXPECT_TRUE(array_of("3-4%2").has_task(4));
    EXPECT_FALSE(array_of("3-4%2").has_task(2));
    EXPECT_TRUE(array_of("1,5-7").has_task(6));
    EXPECT_TRUE(array_of("1-9:2").has_task(3));
    EXPECT_FALSE(array_of("1-9:2").has_task(4));
    EXPECT_FALSE(array_of("1-9:0").has_task(1));
    EXPECT_FALSE(array_of("").has_task(1));
}

TEST(ArrayTasks, TheirNumber) {
    EXPECT_EQ(array_of("7").tasks_of_array(), 1U);
    EXPECT_EQ(array_of("1-4%2").tasks_of_array(), 4U);
    EXPECT_EQ(array_of("1-9:2,12").tasks_of_array(), 6U);
    for (const char* text : {"", "4-1", "1-9:0", "x", "0-4294967295"})
        EXPECT_EQ(array_of(text).tasks_of_array(), 1U) << text;
}

}  // namespace
}  // namespace nvl72block::cli
