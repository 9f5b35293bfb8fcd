// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/figures/metrics.hpp"

#include "../racks.hpp"
#include "replay/figures/time_series.hpp"

namespace nvl72block::replay {
namespace {

TEST(StepMean, WeighsValuesByTheirTime) {
    StepMean mean(100, 4);
    mean.change(0, 1);
    mean.change(30, 3);
    mean.change(80, 0);
    EXPECT_DOUBLE_EQ(mean.mean(), (30 * 1 + 50 * 3) / 100.0);
    EXPECT_EQ(mean.slices(), (std::vector<double>{1, (5 * 1 + 20 * 3) / 25.0, 3, 3 * 5 / 25.0}));
}

TEST(StepMean, IgnoresWhatComesAfterTheWindow) {
    StepMean mean(10, 2);
    mean.change(0, 2);
    mean.change(50, 9);
    EXPECT_DOUBLE_EQ(mean.mean(), 2);
}

TEST(Metrics, MeasuresOneRun) {
    const Topology topology = racks(2, 16);
    SimulationOptions options;
    options.in_service = idle_nodes(topology, {16, 16});
    const std::vector<Job> jobs = {
        {0, 100, 32, 16}, {0, 100, 16, 8}, {50, 10, 1, 0}, {200, 10, 33, 0}};
    std::size_t progress = 0;
    const Metrics metrics = measure(topology, jobs, *make_strategy("pack"), options,
                                    [&](std::size_t started) { progress = started; });
    EXPECT_EQ(progress, 4U);
    EXPECT_EQ(metrics.refused, 1U);
    // 0..100 all nodes, 100..110 one rack and a node, 110..200 one rack
    EXPECT_DOUBLE_EQ(metrics.occupancy, (100.0 * 32 + 10 * 17 + 90 * 16) / (200 * 32));
    EXPECT_DOUBLE_EQ(metrics.free_in_whole_racks, (90.0 * 16) / (90 * 16 + 10 * 15));
    EXPECT_DOUBLE_EQ(metrics.wait_large, 50);
    EXPECT_DOUBLE_EQ(metrics.wait_large_p95, 100);
    EXPECT_DOUBLE_EQ(metrics.wait_all, 50);
    EXPECT_EQ(metrics.segmented_jobs, 2U);
    EXPECT_DOUBLE_EQ(metrics.segments_whole, 1);
    EXPECT_DOUBLE_EQ(metrics.racks_over_least, 1);
    EXPECT_EQ(metrics.makespan, 200);
}

TEST(Metrics, JobsBeforeTheMeasuredPartAreSimulatedOnly) {
    const Topology topology = racks(2, 16);
    SimulationOptions options;
    options.in_service = idle_nodes(topology, {16, 16});
    const std::vector<Job> jobs = {
        {-100, 150, 32, 0}, {-50, 10, 16, 0}, {0, 40, 16, 0}, {100, 10, 1, 0}};
    const Metrics metrics = measure(topology, jobs, *make_strategy("pack"), options, {});
    EXPECT_EQ(metrics.jobs, 2U);
    EXPECT_EQ(metrics.large_waits, (std::vector<double>{50}));
    EXPECT_DOUBLE_EQ(metrics.wait_all, 25);
    // 0..50 all nodes, 50..60 both racks again, 60..90 one
    EXPECT_DOUBLE_EQ(metrics.occupancy, (50.0 * 32 + 10 * 32 + 30 * 16) / (100 * 32));
}

TEST(Metrics, SeesTornSegments) {
    const Topology topology = racks(2, 6);
    SimulationOptions options;
    options.in_service = idle_nodes(topology, {6, 6});
    const std::vector<Job> jobs = {{0, 10, 8, 4}};
    EXPECT_DOUBLE_EQ(
        measure(topology, jobs, *make_strategy("first-fit"), options, {}).segments_whole, 0);
    EXPECT_DOUBLE_EQ(measure(topology, jobs, *make_strategy("pack"), options, {}).segments_whole,
                     1);
}

}  // namespace
}  // namespace nvl72block::replay
