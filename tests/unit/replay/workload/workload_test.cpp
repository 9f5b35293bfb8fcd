// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace nvl72block::replay {
namespace {

const std::vector<TraceJob> three_jobs = {{0, 100, 4}, {50, 200, 8}, {200, 400, 40}};

WorkloadOptions options_for(std::uint32_t nodes) {
    WorkloadOptions options;
    options.cluster_nodes = nodes;
    options.rule = SegmentRule::parse("nvidia").value();
    return options;
}

TEST(Workload, TurnsGpusIntoNodesAndSegments) {
    const Workload workload = make_workload({{three_jobs}}, options_for(16));
    ASSERT_EQ(workload.jobs.size(), 3U);
    EXPECT_EQ(workload.jobs[1].nodes, 2U);
    EXPECT_EQ(workload.jobs[2].nodes, 12U);  // 10, rounded up to segments of 4
    EXPECT_EQ(workload.jobs[2].segment, 4U);
    EXPECT_EQ(workload.jobs[2].submit, 200);
    EXPECT_TRUE(workload.jobs[2].has_segments());
    EXPECT_FALSE(workload.jobs[1].has_segments());
}

TEST(Workload, LeavesOutWhatTheSiteCannotHold) {
    const Workload workload = make_workload({{three_jobs}}, options_for(11));
    EXPECT_EQ(workload.jobs.size(), 2U);
    EXPECT_EQ(workload.too_large, 1U);
    EXPECT_TRUE(make_workload({{std::vector<TraceJob>{{0, 1, 400}}}}, options_for(4)).jobs.empty());
}

TEST(Workload, ScalesArrivalsToTheLoad) {
    WorkloadOptions options = options_for(16);
    options.load = 0.5;
    const Workload workload = make_workload({{three_jobs}}, options);
    EXPECT_NEAR(workload.load, 0.5, 0.01);
    // (100 + 400 + 4800) node seconds on 16 nodes at half load take 662.5 seconds instead of 200
    EXPECT_NEAR(workload.time_scale.at(0), 3.3125, 1e-9);
    EXPECT_EQ(workload.jobs.back().submit, 663);
}

TEST(Workload, RepeatsTheTraceWithItsJobsShuffled) {
    WorkloadOptions options = options_for(16);
    options.jobs = 302;
    const Workload workload = make_workload({{three_jobs}}, options);
    ASSERT_EQ(workload.jobs.size(), 302U);
    EXPECT_TRUE(std::is_sorted(
        workload.jobs.begin(), workload.jobs.end(),
        [](const Job& left, const Job& right) { return left.submit < right.submit; }));
    const auto large = std::count_if(workload.jobs.begin(), workload.jobs.end(),
                                     [](const Job& job) { return job.nodes == 12; });
    EXPECT_NEAR(static_cast<double>(large), 100, 1);
    EXPECT_EQ(make_workload({{three_jobs}}, options).jobs[200].nodes, workload.jobs[200].nodes);
}

TEST(Workload, SharesTheLoadAmongTraces) {
    WorkloadOptions options = options_for(16);
    options.load = 0.8;
    options.jobs = 300;
    const std::vector<TraceJob> small = {{0, 10, 1}, {7, 20, 1}, {9, 30, 1}};
    const Workload workload = make_workload({{three_jobs}, {small}}, options);
    EXPECT_NEAR(workload.load, 0.8, 0.08);
    EXPECT_EQ(workload.time_scale.size(), 2U);
    EXPECT_GT(workload.jobs.size(), 1000U);
}

TEST(Workload, TakesWhatTheLogHasBeforeTheRule) {
    const std::vector<TraceJob> recorded = {{0, 100, 4, 3, 250, 2}, {1, 100, 64, 0, 0, 0}};
    WorkloadOptions options = options_for(32);
    options.limits = Limits::typical;
    const Workload workload = make_workload({{recorded}}, options);
    EXPECT_EQ(workload.jobs[0].nodes, 4U);  // 3 nodes, more than 4 GPUs need, in segments of 2
    EXPECT_EQ(workload.jobs[0].segment, 2U);
    EXPECT_EQ(workload.jobs[0].planned(), 250);
    EXPECT_EQ(workload.jobs[1].nodes, 16U);
    EXPECT_EQ(workload.jobs[1].segment, 0U);
    EXPECT_EQ(workload.jobs[1].planned(), 600);
}

TEST(Workload, StartsMeasuringAfterTheWarmPart) {
    WorkloadOptions options = options_for(16);
    options.jobs = 70;
    options.warm = 0.3;
    options.load = 0.5;
    const Workload workload = make_workload({{three_jobs}}, options);
    EXPECT_EQ(workload.jobs.size(), 100U);
    EXPECT_EQ(workload.warm, 30U);
    EXPECT_EQ(workload.history().size(), 30U);
    EXPECT_LT(workload.history().back().submit, 0);
    EXPECT_EQ(workload.jobs[30].submit, 0);
    EXPECT_EQ(workload.measured(), 70U);
}

TEST(Workload, WithoutACountTheFirstPartOfTheLogIsWarm) {
    WorkloadOptions options = options_for(16);
    options.warm = 0.4;
    const Workload workload = make_workload({{three_jobs}}, options);
    ASSERT_EQ(workload.jobs.size(), 3U);
    EXPECT_EQ(workload.warm, 1U);
    EXPECT_EQ(workload.jobs[0].submit, -50);
}

TEST(Workload, ServicesTakeTheirShareOfTheLoad) {
    WorkloadOptions options = options_for(64);
    options.load = 0.8;
    options.jobs = 500;
    options.warm = 0.2;
    const Workload workload = make_workload({{&llm_figures()}, {Services{}, 0.25}}, options);
    EXPECT_NEAR(workload.load, 0.8, 1e-9);
    EXPECT_EQ(workload.time_scale.size(), 1U);
    double running = 0;  // at time 0
    double work = 0;     // of the others, measured
    std::int64_t last = 0;
    for (const Job& job : workload.jobs) {
        const bool service = job.nodes <= 4 && job.duration > 86400;
        if (service && job.submit <= 0 && job.submit + job.duration > 0) running += job.nodes;
        if (service || job.submit < 0) continue;
        work += static_cast<double>(job.nodes) * static_cast<double>(job.duration);
        last = job.submit;
    }
    EXPECT_NEAR(running, 16, 4);
    EXPECT_NEAR(work / (64 * static_cast<double>(last)), 0.55, 0.02);
}

TEST(Workload, SharesOfTheirOwnLeaveTheRestToTheOthers) {
    WorkloadOptions options = options_for(64);
    options.load = 0.9;
    options.jobs = 300;
    const Workload workload =
        make_workload({{&llm_figures(), 0.5}, {&small_figures(), 0}, {Services{}, 0.1}}, options);
    EXPECT_NEAR(workload.load, 0.9, 1e-9);
}

TEST(Workload, GeneratedJobsFollowTheSeed) {
    WorkloadOptions options = options_for(64);
    options.jobs = 50;
    const auto durations = [&] {
        std::vector<std::int64_t> all;
        for (const Job& job : make_workload({{&llm_figures()}}, options).jobs)
            all.push_back(job.duration);
        return all;
    };
    const std::vector<std::int64_t> first = durations();
    EXPECT_EQ(durations(), first);
    options.seed = 2;
    EXPECT_NE(durations(), first);
}

}  // namespace
}  // namespace nvl72block::replay
