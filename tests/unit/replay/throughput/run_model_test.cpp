// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/throughput/run_model.hpp"

#include <gtest/gtest.h>

#include "../racks.hpp"
#include "replay/simulation/simulator.hpp"

namespace nvl72block::replay {
namespace {

class Throughput : public testing::Test {
  protected:
    /// Outcomes on two racks of four of a job that takes half of the first, and of one of four
    /// nodes, which first fit tears.
    std::vector<JobOutcome> outcomes(const ThroughputOptions& throughput, const char* strategy,
                                     std::int64_t limit = 0) {
        const Topology topology = racks(2, 4);
        const std::vector<Job> jobs = {{0, 5000, 2, 0}, {1, 1000, 4, 0, limit}, {2, 10, 8, 0}};
        SimulationOptions options;
        options.in_service = idle_nodes(topology, {4, 4});
        options.run = make_run_model(throughput, topology, jobs, 1);
        return simulate(topology, jobs, *make_strategy(strategy), options, {});
    }

    static ThroughputOptions of(const char* kind) {
        std::string error;
        return {KindMix::parse(kind, error), 0, throughput::gb200};
    }
};

TEST_F(Throughput, ATornJobRunsLonger) {
    ThroughputOptions options;
    options.torn_loss = 0.2;
    const std::vector<JobOutcome> torn = outcomes(options, "first-fit");
    EXPECT_TRUE(torn[1].run.torn);
    EXPECT_EQ(torn[1].run.seconds, 1250);
    EXPECT_EQ(torn[1].run.useful, 0.8);
    EXPECT_FALSE(torn[1].run.failed);
    const std::vector<JobOutcome> whole = outcomes(options, "pack");
    EXPECT_FALSE(whole[1].run.torn);
    EXPECT_EQ(whole[1].run.seconds, 1000);
    EXPECT_EQ(whole[1].run.useful, 1);
}

TEST_F(Throughput, ExpertsThatAreTornEndWithoutResult) {
    const std::vector<JobOutcome> torn = outcomes(of("expert-parallel"), "first-fit");
    EXPECT_TRUE(torn[1].run.failed);
    EXPECT_EQ(torn[1].run.seconds, watchdog_seconds);
    EXPECT_EQ(torn[1].run.useful, 0);
    EXPECT_FALSE(outcomes(of("expert-parallel"), "pack")[1].run.failed);
}

/// The job that needs all nodes starts when the last one really ends, not at its time limit.
TEST_F(Throughput, LaterJobsWaitForTheLongerRun) {
    ThroughputOptions options;
    options.torn_loss = 0.9;
    const std::vector<JobOutcome> torn = outcomes(options, "first-fit", 1100);
    EXPECT_EQ(torn[1].run.seconds, 10000);
    EXPECT_EQ(torn[2].start, 10001);
}

}  // namespace
}  // namespace nvl72block::replay
