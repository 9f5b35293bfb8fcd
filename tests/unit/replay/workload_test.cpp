// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload.hpp"

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
    const Workload workload = make_workload({three_jobs}, options_for(16));
    ASSERT_EQ(workload.jobs.size(), 3U);
    EXPECT_EQ(workload.jobs[1].nodes, 2U);
    EXPECT_EQ(workload.jobs[2].nodes, 12U);  // 10, rounded up to segments of 4
    EXPECT_EQ(workload.jobs[2].segment, 4U);
    EXPECT_EQ(workload.jobs[2].submit, 200);
    EXPECT_TRUE(workload.jobs[2].has_segments());
    EXPECT_FALSE(workload.jobs[1].has_segments());
}

TEST(Workload, LeavesOutWhatTheSiteCannotHold) {
    const Workload workload = make_workload({three_jobs}, options_for(11));
    EXPECT_EQ(workload.jobs.size(), 2U);
    EXPECT_EQ(workload.too_large, 1U);
    EXPECT_TRUE(make_workload({{{0, 1, 400}}}, options_for(4)).jobs.empty());
}

TEST(Workload, ScalesArrivalsToTheLoad) {
    WorkloadOptions options = options_for(16);
    options.load = 0.5;
    const Workload workload = make_workload({three_jobs}, options);
    EXPECT_NEAR(workload.load, 0.5, 0.01);
    // (100 + 400 + 4800) node seconds on 16 nodes at half load take 662.5 seconds instead of 200
    EXPECT_NEAR(workload.time_scale.at(0), 3.3125, 1e-9);
    EXPECT_EQ(workload.jobs.back().submit, 663);
}

TEST(Workload, RepeatsTheTraceWithItsJobsShuffled) {
    WorkloadOptions options = options_for(16);
    options.jobs = 302;
    const Workload workload = make_workload({three_jobs}, options);
    ASSERT_EQ(workload.jobs.size(), 302U);
    EXPECT_TRUE(std::is_sorted(
        workload.jobs.begin(), workload.jobs.end(),
        [](const Job& left, const Job& right) { return left.submit < right.submit; }));
    const auto large = std::count_if(workload.jobs.begin(), workload.jobs.end(),
                                     [](const Job& job) { return job.nodes == 12; });
    EXPECT_NEAR(static_cast<double>(large), 100, 1);
    EXPECT_EQ(make_workload({three_jobs}, options).jobs[200].nodes, workload.jobs[200].nodes);
}

TEST(Workload, SharesTheLoadAmongTraces) {
    WorkloadOptions options = options_for(16);
    options.load = 0.8;
    options.jobs = 300;
    const std::vector<TraceJob> small = {{0, 10, 1}, {7, 20, 1}, {9, 30, 1}};
    const Workload workload = make_workload({three_jobs, small}, options);
    EXPECT_NEAR(workload.load, 0.8, 0.08);
    EXPECT_EQ(workload.time_scale.size(), 2U);
    EXPECT_GT(workload.jobs.size(), 1000U);
}

}  // namespace
}  // namespace nvl72block::replay
