// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/diagnosis.hpp"
#include "why_state.hpp"

namespace nvl72block::cli {
namespace {

class ForecastTest : public WhyState {};

constexpr const char* early = "2026-11-22T21:51:21";
constexpr const char* late = "2026-11-22T22:21:21";

TEST_F(ForecastTest, StartsWhenTheFirstSufficientJobHasEnded) {
    read("####....####xxxx", waiting("8-8", {{"segment_size", 4}}),
         {running(11, "n[01-04]", late), running(12, "n[09-12]", early)});
    const Forecast result = forecast(*state_, Occupancy(*state_), question_);
    ASSERT_TRUE(result.start);
    EXPECT_EQ(time_text(*result.start), "2026-11-22 21:51");
    ASSERT_EQ(result.ended.size(), 1U);
    EXPECT_EQ(result.ended.front()->id, 12U);
    EXPECT_EQ(result.usable.count(), 8U);
}

TEST_F(ForecastTest, NodesOfJobsWithoutAnEndNeverBecomeFree) {
    read("####....########", waiting("8-8", {{"segment_size", 4}}),
         {running(11, "n[01-04]", "Unknown")});
    const Forecast result = forecast(*state_, Occupancy(*state_), question_);
    EXPECT_FALSE(result.start);
    EXPECT_EQ(result.endless_nodes, 12U);
}

TEST_F(ForecastTest, AnExclusiveJobWaitsForTheWholeBlock) {
    JobLine job = waiting("2-2");
    job.exclusive = "topo";
    read("#..##...xxxxxxxx", job,
         {running(11, "n01", late), running(12, "n04", early), running(14, "n05", late)});
    const Forecast result = forecast(*state_, Occupancy(*state_), question_);
    ASSERT_TRUE(result.start);
    EXPECT_EQ(time_text(*result.start), "2026-11-22 22:21");
}

TEST_F(ForecastTest, AnExclusiveJobWaitsForAllJobsOfItsBlocks) {
    JobLine job = waiting("2-2");
    job.exclusive = "topo";
    read("#..##...xxxxxxxx", job,
         {running(11, "n01", late), running(12, "n04", early), running(14, "n05", "Unknown")});
    const Forecast result = forecast(*state_, Occupancy(*state_), question_);
    ASSERT_EQ(result.ended.size(), 2U);
    EXPECT_EQ(result.ended.front()->id, 11U);
    EXPECT_EQ(result.ended.back()->id, 12U);
}

TEST_F(ForecastTest, AJobInAReservationGetsOnlyItsNodes) {
    JobLine job = waiting("4-4");
    job.more = {{"reservation", "soon"}};
    read("####............", job, {running(11, "n[01-04]", early)},
         reservation_line("soon", "n[01-04]", "2026-11-22T20:00:00", "2026-11-23T22:51:21"));
    const Forecast result = forecast(*state_, Occupancy(*state_), question_);
    ASSERT_TRUE(result.start);
    EXPECT_EQ(time_text(*result.start), "2026-11-22 21:51");
    EXPECT_EQ(result.usable.count(), 4U);
}

}  // namespace
}  // namespace nvl72block::cli
