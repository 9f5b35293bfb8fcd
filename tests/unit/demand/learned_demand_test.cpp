// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/learned_demand.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <utility>

#include "../placement/small_cluster.hpp"
#include "text/seconds.hpp"

namespace nvl72block {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t start = 1'700'000'000;
constexpr std::uint32_t planning = 18;
constexpr std::uint32_t cluster = 360;
const LearnedDemand::Ground ground{.sizes = {planning}, .nodes = cluster, .largest = 36};

/// Counts one job of `nodes` nodes every `step` seconds over [from, to].
void watch(LearnedDemand& learned, std::int64_t from, std::int64_t to, std::int64_t step,
           std::uint32_t slot_nodes, double nodes) {
    for (std::int64_t time = from; time <= to; time += step) {
        learned.begin(time);
        learned.observe(slot_nodes, nodes);
        learned.finish(ground);
    }
}

std::uint32_t share(const Demand& demand, std::uint32_t nodes) {
    for (const DemandSize& size : demand.sizes())
        if (size.nodes == nodes) return size.share;
    return 0;
}

TEST(LearnedDemand, IsOffBeforeTheFirstCount) {
    EXPECT_TRUE(LearnedDemand().demand().empty());
}

TEST(LearnedDemand, AnEmptyClusterWantsPlacesOfItsPlanningSize) {
    LearnedDemand learned;
    learned.begin(start);
    learned.finish(ground);
    EXPECT_EQ(to_string(learned.demand()), "18:1");
}

TEST(LearnedDemand, TheOnlyCompleteBlockOfALevelIsNotWantedBeforeAnybodyAsksForIt) {
    const nvl72block::testing::SmallCluster seven(4, "4,8,16", {4, 4, 4, 4, 4, 4, 4});
    ASSERT_EQ(seven.topology.levels().back().aggregates, 2U) << "the second one is incomplete";
    EXPECT_THAT(LearnedDemand::Ground::of(seven.topology).sizes, ElementsAre(4, 8));
    const nvl72block::testing::SmallCluster eight(4, "4,8,16", {4, 4, 4, 4, 4, 4, 4, 4});
    EXPECT_THAT(LearnedDemand::Ground::of(eight.topology).sizes, ElementsAre(4, 8, 16));
}

/// Two racks of four and a node in no block, measured by 8 CPUs per node; what a count of the one
/// job finds: "4 x 2" for four nodes in slots of two, "" where it does not count.
class QueueJobTest : public ::testing::Test {
  protected:
    QueueJobTest() : racks_(4, "4", {4, 4}, 1), reach_(racks_.topology.node_count()) {
        reach_.set(0);
        job_ = {.state = QueueJob::State::running, .nodes = 4, .segment_size = 2, .cpus = 4};
        job_.reach = reach_;
        job_.whole_nodes = true;
    }

    std::string counted(double cpus_a_node = 8) {
        LearnedDemand learned;
        learned.begin(start);
        learned.finish(ground);
        learned.begin(start + 1000);
        const bool counts = learned.observe(racks_.topology, cpus_a_node, job_);
        learned.finish(ground);
        std::string text;
        for (const DemandHistory::Entry& entry : learned.history().entries())
            text += fmt::format("{} x {}", entry.amount / 1000, entry.nodes);
        EXPECT_EQ(text.empty(), !counts);
        return text;
    }

    nvl72block::testing::SmallCluster racks_;
    NodeSet reach_;
    QueueJob job_;
};

TEST_F(QueueJobTest, SlotsAreSegmentsOrTheWholeJob) {
    EXPECT_EQ(counted(), "4 x 2");
    job_.segment_size = 0;
    EXPECT_EQ(counted(), "4 x 4");
    job_.segment_size = 6;  // up to one segment it is a plain job
    EXPECT_EQ(counted(), "4 x 4");
    job_.nodes = 0;
    EXPECT_EQ(counted(), "");
}

TEST_F(QueueJobTest, AJobThatSharesNodesAsksForWhatItsCpusFill) {
    job_.whole_nodes = false;
    EXPECT_EQ(counted(), "0.5 x 2");
    job_.cpus = 800;
    EXPECT_EQ(counted(), "4 x 2");
    job_.cpus = 4;
    EXPECT_EQ(counted(0), "4 x 2");
    job_.cpus = 0;
    EXPECT_EQ(counted(), "4 x 2");
}

TEST_F(QueueJobTest, WaitingJobsCountIfNothingElseKeepsThem) {
    job_.state = QueueJob::State::waiting;
    EXPECT_EQ(counted(), "");  // held
    job_.priority = 1;
    job_.begin = start + 1000;
    EXPECT_EQ(counted(), "4 x 2");
    job_.begin = start + 1001;
    EXPECT_EQ(counted(), "");
    job_.state = QueueJob::State::running;
    EXPECT_EQ(counted(), "4 x 2");
    job_.state = QueueJob::State::other;
    EXPECT_EQ(counted(), "");
}

TEST_F(QueueJobTest, TasksOfAnArrayWaitTogetherUpToAllNodes) {
    job_.array_tasks = 2;
    EXPECT_EQ(counted(), "4 x 2");  // this one runs
    job_.state = QueueJob::State::waiting;
    job_.priority = 1;
    EXPECT_EQ(counted(), "8 x 2");
    job_.array_tasks = 100;
    EXPECT_EQ(counted(), "9 x 2");
    job_.array_tasks = 0;
    EXPECT_EQ(counted(), "4 x 2");
}

TEST_F(QueueJobTest, OnlyJobsInBlocksCount) {
    reach_.reset(0);
    EXPECT_EQ(counted(), "");
    reach_.set(8);  // in no block
    EXPECT_EQ(counted(), "");
    reach_.set(7);
    EXPECT_EQ(counted(), "4 x 2");
    job_.reach = {};
    EXPECT_EQ(counted(), "");
}

TEST_F(QueueJobTest, CpusAreThoseOfTheFirstNodeInABlock) {
    EXPECT_EQ(LearnedDemand::measuring_node(racks_.topology), NodeIndex{0});
}

TEST(LearnedDemand, WhatRunsAndWaitsCountsAtOnce) {
    LearnedDemand learned;
    learned.begin(start);
    learned.observe(16, 300);
    learned.observe(16, 60);
    learned.observe(0, 5);   // no size
    learned.observe(4, -1);  // no amount
    learned.observe(1, 99);  // a node taken is a node taken, wherever it lies
    learned.finish(ground);
    EXPECT_EQ(to_string(learned.demand()), "18:0.5+16:0.5");
}

TEST(LearnedDemand, SizesThatOnlyTheWholeClusterHoldsAreLeftOut) {
    LearnedDemand learned;
    learned.begin(start);
    learned.observe(37, 200);
    learned.observe(36, 200);
    learned.observe(16, 200);
    learned.finish(ground);
    EXPECT_EQ(to_string(learned.demand()), "36:0.263+18:0.474+16:0.263");
}

TEST(LearnedDemand, JobsThatHaveEndedCountByTheNodesAndTheTimeTheyTook) {
    LearnedDemand learned;
    watch(learned, start, start + (36 * 3600), 3600, 16, cluster);
    learned.begin(start + (37 * 3600));
    learned.finish(ground);
    // A day and a half, halved for some hours, against what is left of the prior: half a day.
    EXPECT_NEAR(share(learned.demand(), 16), 740, 15);
    EXPECT_NEAR(share(learned.demand(), planning), 260, 15);
}

TEST(LearnedDemand, AHistoryOfWeeksOutweighsAQuietDay) {
    LearnedDemand learned;
    watch(learned, start, start + (14 * day), 600, 16, 360);
    watch(learned, start + (14 * day), start + (14 * day) + 600, 60, 2, 20);
    EXPECT_GT(share(learned.demand(), 16), 900U);
    EXPECT_EQ(share(learned.demand(), planning), 0U);
}

TEST(LearnedDemand, HowOftenTheQueueIsCountedDoesNotMatter) {
    LearnedDemand often, seldom;
    watch(often, start, start + day, 10, 16, 100);
    watch(seldom, start, start + day, 1800, 16, 100);
    EXPECT_EQ(often.demand(), seldom.demand());
}

TEST(LearnedDemand, ALongPauseCountsForOneHour) {
    LearnedDemand learned;
    learned.begin(start);
    learned.observe(16, 100);
    learned.finish(ground);
    watch(learned, start + (30 * day), start + (30 * day), 1, 4, 100);
    std::string error;
    LearnedDemand restored;
    ASSERT_TRUE(restored.restore(learned.to_text(), start + (30 * day), error)) << error;
    EXPECT_EQ(learned.to_text(), "nvl72block demand 1\n1702592000\n4 360000\nend\n");
    EXPECT_EQ(restored.to_text(), learned.to_text());
}

TEST(LearnedDemand, TheTextKeepsTheHistoryAcrossARestart) {
    LearnedDemand before, after;
    watch(before, start, start + (7 * day), 600, 16, 300);
    watch(before, start + (7 * day), start + (9 * day), 600, 4, 50);
    std::string error;
    ASSERT_TRUE(after.restore(before.to_text(), start + (9 * day), error)) << error;
    for (LearnedDemand* each : {&before, &after}) {
        each->begin(start + (9 * day));
        each->finish(ground);
    }
    EXPECT_EQ(to_string(before.demand()), to_string(after.demand()));
}

TEST(LearnedDemand, AClockThatWasSetBackDoesNotStopTheHistory) {
    LearnedDemand learned;
    std::string error;
    ASSERT_TRUE(learned.restore("nvl72block demand 1\n1900000000\n16 1000\nend\n", start, error));
    EXPECT_THAT(learned.to_text(), HasSubstr("\n1700000000\n"));
}

// A slurmctld that is killed while it writes leaves the former file; a disk that is full, or an
// editor, may leave anything.
TEST(LearnedDemand, DamagedTextsAreRefusedAndChangeNothing) {
    const std::pair<const char*, const char*> damaged[] = {
        {"", "line 1: not \"nvl72block demand 1\""},
        {"nvl72block demand 2\n1\nend\n", "line 1: not \"nvl72block demand 1\""},
        {"nvl72block demand 1\n", "line 2: not a time in seconds"},
        {"nvl72block demand 1\nnow\nend\n", "line 2: not a time in seconds"},
        {"nvl72block demand 1\n1\n", "line 3: the end is missing"},
        {"nvl72block demand 1\n1\n16 5\n", "line 4: the end is missing"},
        {"nvl72block demand 1\n1\n16 5\nend", "line 4: the end is missing"},
        {"nvl72block demand 1\n1\n16\nend\n",
         "line 3: not a number of nodes up to 16777216 and an amount above 0 and up to 1e+21"},
        {"nvl72block demand 1\n1\n0 5\nend\n", "line 3: not a number of nodes"},
        // The demand was then "off", without a word: the sum of such amounts is infinite.
        {"nvl72block demand 1\n1\n16 1e308\n4 1e308\nend\n", "line 3: not a number of nodes"},
        {"nvl72block demand 1\n1\n16 5 5\nend\n", "line 3: not a number of nodes"},
        {"nvl72block demand 1\n1\n16777217 5\nend\n", "line 3: not a number of nodes"},
        // The age of such a history overflowed.
        {"nvl72block demand 1\n-9223372036854775808\nend\n",
         "line 2: not a time in seconds from 0 to 253402300799"},
        {"nvl72block demand 1\n9223372036854775807\nend\n", "line 2: not a time in seconds"},
        {"nvl72block demand 1\n-1\nend\n", "line 2: not a time in seconds"},
        {"nvl72block demand 1\n1\n-1 5\nend\n", "line 3: not a number of nodes"},
        {"nvl72block demand 1\n1\n16 nan\nend\n", "line 3: not a number of nodes"},
        {"nvl72block demand 1\n1\n16 inf\nend\n", "line 3: not a number of nodes"},
        {"nvl72block demand 1\n1\n16 -5\nend\n", "line 3: not a number of nodes"},
        {"nvl72block demand 1\n1\n99999999999 5\nend\n", "line 3: not a number of nodes"},
    };
    LearnedDemand learned;
    watch(learned, start, start + day, 600, 16, 100);
    const std::string kept = learned.to_text();
    for (const auto& [text, sentence] : damaged) {
        std::string error;
        EXPECT_FALSE(learned.restore(text, start, error)) << text;
        EXPECT_THAT(error, HasSubstr(sentence)) << text;
        EXPECT_EQ(learned.to_text(), kept);
    }
}

TEST(LearnedDemand, MoreSizesThanAHistoryHasAreRefused) {
    std::string text = "nvl72block demand 1\n1\n", error;
    for (std::size_t size = 1; size <= DemandHistory::most_sizes; ++size)
        text += std::to_string(size) + " 5\n";
    LearnedDemand learned;
    EXPECT_TRUE(learned.restore(text + "end\n", start, error)) << error;
    EXPECT_FALSE(learned.restore(text + "300 5\nend\n", start, error));
    EXPECT_EQ(error, "line 259: more than 256 sizes");
}

TEST(LearnedDemand, ASizeThatIsListedTwiceIsWrittenAsItCanBeRead) {
    LearnedDemand learned, again;
    std::string error;
    const std::string text = fmt::format("nvl72block demand 1\n{}\n16 7e20\n16 7e20\nend\n", start);
    ASSERT_TRUE(learned.restore(text, start, error)) << error;
    EXPECT_THAT(learned.to_text(), HasSubstr("\n16 1e+21\n"));
    ASSERT_TRUE(again.restore(learned.to_text(), start, error)) << error;
    EXPECT_EQ(again.to_text(), learned.to_text());
}

// What decayed to nothing was written as 0, which is refused when it is read.
TEST(LearnedDemand, WhatWasAskedForDecadesAgoIsForgotten) {
    LearnedDemand before, after;
    std::string error;
    ASSERT_TRUE(before.restore("nvl72block demand 1\n1\n16 1000\nend\n", start, error)) << error;
    before.begin(start);
    before.observe(4, 4);
    before.finish(ground);
    before.begin(start + 60);
    before.observe(4, 4);
    before.finish(ground);
    EXPECT_THAT(before.to_text(), Not(HasSubstr("\n16 ")));
    EXPECT_TRUE(after.restore(before.to_text(), start + 60, error)) << error;
}

// Times from the ends of the range: their difference overflowed.
TEST(LearnedDemand, NoTimeIsTooFarAway) {
    LearnedDemand learned;
    for (const std::int64_t time :
         {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
        learned.begin(time);
        learned.observe(16, 16);
        learned.finish(ground);
    }
    EXPECT_GT(share(learned.demand(), 16), 0U);
}

LearnedDemand restored(const std::string& text, std::int64_t now) {
    LearnedDemand learned;
    std::string error;
    EXPECT_TRUE(learned.restore(text, now, error)) << error;
    return learned;
}

TEST(LearnedDemand, AHistoryThatKnowsMoreTakesThePlaceOfTheOwn) {
    const LearnedDemand more =
        restored("nvl72block demand 1\n1700000000\n16 2e6\n64 8e6\nend\n", start);
    LearnedDemand learned;
    watch(learned, start - day, start, 600, 4, 20);  // 1.7e6 node-seconds
    EXPECT_TRUE(learned.adopt(more, start));
    EXPECT_EQ(learned.to_text(),
              "nvl72block demand 1\n1700000000\naccounting\n16 2000000\n64 8000000\nend\n");
}

TEST(LearnedDemand, AHistoryThatWasTakenOverIsNotTakenAgain) {
    const LearnedDemand more =
        restored("nvl72block demand 1\n1700000000\n16 2e6\n64 8e6\nend\n", start);
    LearnedDemand learned;
    ASSERT_TRUE(learned.adopt(more, start));
    EXPECT_FALSE(learned.adopt(more, start));
    watch(learned, start, start + (30 * day), 3600, 4, 1);
    EXPECT_FALSE(learned.adopt(more, start + (30 * day)));
    // nor after weeks without a job, whatever is lost by rounding
    LearnedDemand idle = restored(more.to_text(), start);
    watch(idle, start, start + (60 * day), 3600, 4, 0);
    EXPECT_FALSE(idle.adopt(more, start + (60 * day)));
}

// The administrator says that it is the cluster's: nothing is guessed beside it, however short it
// is.
TEST(LearnedDemand, BesideAHistoryFromTheAccountingNoSizesOfBlocksCount) {
    LearnedDemand learned;
    ASSERT_TRUE(
        learned.adopt(restored("nvl72block demand 1\n1700000000\n16 1000\nend\n", start), start));
    const auto counted = [](LearnedDemand one) {
        one.begin(start);
        one.finish(ground);
        return to_string(one.demand());
    };
    EXPECT_EQ(counted(learned), "16:1");
    EXPECT_EQ(counted(restored(learned.to_text(), start)), "16:1");
    EXPECT_EQ(counted(LearnedDemand::from_accounting(learned.history())), "16:1");
    // what slurmctld has counted itself for so short a time is no history yet
    EXPECT_EQ(counted(LearnedDemand(learned.history())), "18:1");
    // of decades ago: nothing is left of it
    EXPECT_EQ(counted(LearnedDemand::from_accounting(DemandHistory())), "18:1");
}

TEST(LearnedDemand, AHistoryThatKnowsLessIsLeft) {
    LearnedDemand learned;
    watch(learned, start - day, start, 600, 4, 20);
    const std::string kept = learned.to_text();
    EXPECT_FALSE(
        learned.adopt(restored("nvl72block demand 1\n1700000000\n16 1e6\nend\n", start), start));
    // of a year ago: little of it is left
    EXPECT_FALSE(
        learned.adopt(restored("nvl72block demand 1\n1668464000\n16 1e9\nend\n", start), start));
    EXPECT_FALSE(learned.adopt(LearnedDemand(), start));
    EXPECT_EQ(learned.to_text(), kept);
}

}  // namespace
}  // namespace nvl72block
