// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/job_question.hpp"

#include <gtest/gtest.h>

#include "cli/why/find_job.hpp"
#include "cli/why/pending_reason.hpp"

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

TEST(FindJob, TasksOfAnArray) {
    EXPECT_TRUE(has_task("3-4%2", 4));
    EXPECT_FALSE(has_task("3-4%2", 2));
    EXPECT_TRUE(has_task("1,5-7", 6));
    EXPECT_TRUE(has_task("1-9:2", 3));
    EXPECT_FALSE(has_task("1-9:2", 4));
    EXPECT_FALSE(has_task("", 1));
}

TEST(SlurmReason, InWords) {
    EXPECT_EQ(explain_reason("Priority"), "jobs of higher priority wait for the same nodes");
    EXPECT_EQ(explain_reason("ReqNodeNotAvail,_May_be_reserved_for_other_job"),
              "a node that it needs is reserved, out of service or does not answer");
    EXPECT_EQ(explain_reason("QOSMaxNodePerUserLimit"), "a limit of its QOS is reached");
    EXPECT_EQ(explain_reason("DependencyNeverSatisfied"),
              "the jobs that it depends on can no longer end as it wants");
    EXPECT_EQ(explain_reason("Whatever"), "see JOB REASON CODES in squeue(1)");
}

}  // namespace
}  // namespace nvl72block::cli
