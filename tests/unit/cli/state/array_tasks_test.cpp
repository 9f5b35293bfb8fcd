// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/array_tasks.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(ArrayTasks, OneOfThem) {
    EXPECT_TRUE(has_task("3-4%2", 4));
    EXPECT_FALSE(has_task("3-4%2", 2));
    EXPECT_TRUE(has_task("1,5-7", 6));
    EXPECT_TRUE(has_task("1-9:2", 3));
    EXPECT_FALSE(has_task("1-9:2", 4));
    EXPECT_FALSE(has_task("1-9:0", 1));
    EXPECT_FALSE(has_task("", 1));
}

TEST(ArrayTasks, TheirNumber) {
    EXPECT_EQ(task_count("7"), 1U);
    EXPECT_EQ(task_count("1-4%2"), 4U);
    EXPECT_EQ(task_count("1-9:2,12"), 6U);
    for (const char* text : {"", "4-1", "1-9:0", "x", "0-4294967295"})
        EXPECT_EQ(task_count(text), 1U) << text;
}

}  // namespace
}  // namespace nvl72block::cli
