// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/diagnosis.hpp"

#include "why_state.hpp"

namespace nvl72block::cli {
namespace {

class DiagnosisTest : public WhyState {};

TEST_F(DiagnosisTest, CountsTheRoomOfBaseBlocks) {
    read("....#...##..####", waiting("8-8", {{"segment_size", 4}}));
    const BaseBlockRoom room = diagnose(*state_, question_).counts;
    EXPECT_EQ(room.wanted, 4U);
    EXPECT_EQ(room.enough, 1U);
    EXPECT_EQ(room.empty, 1U);
    ASSERT_EQ(room.lacking.size(), 2U);
    EXPECT_EQ(room.lacking[0].usable, 3U);
    EXPECT_EQ(room.lacking[1].usable, 2U);
    EXPECT_EQ(room.level_size, 8U);
    EXPECT_EQ(room.enough_together, 1U);
}

TEST_F(DiagnosisTest, ListsTheBlocksWithMostDrainedNodesFirst) {
    read("x...xx..........", waiting("16-16"));
    const Diagnosis diagnosis = diagnose(*state_, question_);
    ASSERT_EQ(diagnosis.drained.size(), 2U);
    EXPECT_EQ(diagnosis.drained[0].block, 1U);
    EXPECT_EQ(diagnosis.drained[0].nodes.count(), 2U);
    EXPECT_FALSE(diagnosis.fits());
}

TEST_F(DiagnosisTest, APermanentRefusalHasNoForecast) {
    JobLine job = waiting("5-5");
    job.partition = "debug";  // MaxNodes=4
    read("................", job);
    const Diagnosis diagnosis = diagnose(*state_, question_);
    EXPECT_FALSE(diagnosis.fits());
    EXPECT_FALSE(diagnosis.forecast.start);
    EXPECT_TRUE(diagnosis.suggestions.empty());
}

TEST_F(DiagnosisTest, AJobOfTasksIsNotRefusedForItsOpenNodeCount) {
    JobLine job = waiting("1");
    job.partition = "debug";  // MaxNodes=4
    read("................", job);
    state_->jobs.front().max_nodes = 0;
    question_ = job_question(*state_, state_->jobs.front(), 0);
    ASSERT_GT(question_.request.max_nodes, 4U);
    EXPECT_TRUE(diagnose(*state_, question_).fits());
}

}  // namespace
}  // namespace nvl72block::cli
