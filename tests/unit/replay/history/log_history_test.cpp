// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/history/log_history.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nvl72block/learned_demand.hpp"
#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

constexpr std::int64_t start = 1'700'000'000;

TraceJob job(std::int64_t arrival, std::int64_t wait, std::int64_t duration, std::uint32_t nodes,
             std::uint32_t segment) {
    TraceJob job;
    job.arrival = arrival;
    job.wait = wait;
    job.duration = duration;
    job.nodes = nodes;
    job.segment = segment;
    return job;
}

// slurmctld's own way: it counts the queue every few seconds.
TEST(LogHistory, IsWhatCountsOfTheRunningJobsWouldHaveGiven) {
    const std::vector<TraceJob> jobs = {
        job(start, 0, 20 * day, 36, 18),
        job(start + day, day, 3 * day, 64, 0),
        job(start + 2 * day, 3 * day, 9 * day, 8, 4),
        job(start + 15 * day, 0, 5 * day, 100, 0),
    };
    LearnedDemand counted;
    constexpr std::int64_t pause = 600;
    for (std::int64_t time = start; time <= start + 20 * day; time += pause) {
        counted.begin(time);
        for (const TraceJob& each : jobs) {
            const std::int64_t begin = each.arrival + each.wait;
            if (begin < time && time <= begin + each.duration)
                counted.observe(each.segment.value() > 0 ? *each.segment : each.nodes, each.nodes);
        }
        counted.finish({});
    }
    const LogHistory learned = history_of(jobs, {});
    EXPECT_EQ(learned.begin, start);
    EXPECT_EQ(learned.end, start + 20 * day);
    EXPECT_EQ(learned.history.latest(), counted.history().latest());
    const auto ours = learned.history.entries(), theirs = counted.history().entries();
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(ours[i].nodes, theirs[i].nodes);
        EXPECT_NEAR(ours[i].amount / theirs[i].amount, 1, 1e-3) << ours[i].nodes;
    }
}

/// With --segment-rule a job of 40 nodes counted with 48, as if it had been submitted anew.
TEST(LogHistory, AJobCountsWithTheNodesThatItHad) {
    WorkloadOptions options;
    options.rule = SegmentRule::parse("32:16,8:4,1:0").value();
    TraceJob recorded = job(start, 0, day, 40, 0);
    recorded.segment.reset();
    const LogHistory learned = history_of({recorded}, options);
    ASSERT_EQ(learned.sizes.size(), 1U);
    EXPECT_EQ(learned.sizes[0].nodes, 16U);
    EXPECT_DOUBLE_EQ(learned.node_seconds, 40.0 * day);
}

TEST(LogHistory, SharesAreOfNodeTimeTheLargestFirst) {
    const LogHistory learned = history_of(
        {job(start, 0, 100, 16, 0), job(start, 0, 50, 64, 0), job(start, 0, 50, 64, 16)}, {});
    ASSERT_EQ(learned.sizes.size(), 2U);
    EXPECT_EQ(learned.jobs, 3U);
    EXPECT_EQ(learned.node_seconds, 8000);
    EXPECT_EQ(learned.sizes[0].nodes, 16U);
    EXPECT_EQ(learned.sizes[0].jobs, 2U);
    EXPECT_DOUBLE_EQ(learned.sizes[0].share, 0.6);
    EXPECT_DOUBLE_EQ(learned.sizes[1].share, 0.4);
}

// Against what is known of equal jobs: the share of a size is binomial.
TEST(LogHistory, ErrorsAreThoseOfASampleOfJobs) {
    std::vector<TraceJob> jobs;
    for (int i = 0; i < 100; ++i)
        jobs.push_back(job(start, 0, 100, i < 20 ? 16 : 16, i < 20 ? 4 : 0));
    const LogHistory learned = history_of(jobs, {});
    for (const SizeInLog& size : learned.sizes)
        EXPECT_NEAR(size.standard_error, std::sqrt(0.2 * 0.8 / 100), 1e-12);
    // one job alone says nothing about the next
    jobs.push_back(job(start, 0, 100 * day, 512, 0));
    EXPECT_GT(history_of(jobs, {}).sizes.front().standard_error, 0.0);
    EXPECT_EQ(history_of({jobs.back()}, {}).sizes.front().standard_error, 0);
}

TEST(LogHistory, JobsWithoutRecordedSegmentsHaveThoseOfTheRule) {
    TraceJob plain = job(start, 0, 100, 64, 0);
    plain.segment.reset();
    WorkloadOptions options;
    options.rule = SegmentRule::parse("nvidia").value();
    EXPECT_EQ(history_of({plain}, options).sizes.front().nodes, 16U);
    EXPECT_EQ(history_of({plain}, {}).sizes.front().nodes, 64U);
    plain.nodes = 0;
    plain.gpus = 70;
    EXPECT_EQ(history_of({plain}, {}).sizes.front().nodes, 18U);
}

// The first size of a large log was forgotten for each of the following.
TEST(LogHistory, OfMoreSizesThanAHistoryHasTheSmallestAreForgotten) {
    std::vector<TraceJob> jobs;
    for (std::uint32_t nodes = 1; nodes <= 400; ++nodes)
        for (int times = 0; times < 3; ++times) jobs.push_back(job(start, 0, 100, nodes, 0));
    const LogHistory learned = history_of(jobs, {});
    EXPECT_EQ(learned.sizes.size(), 400U);
    const auto entries = learned.history.entries();
    ASSERT_EQ(entries.size(), DemandHistory::most_sizes);
    EXPECT_EQ(entries.front().nodes, 145U);
    EXPECT_NEAR(entries.front().amount, 145 * 300, 2);  // a little is halved within 100 s
}

}  // namespace
}  // namespace nvl72block::replay
