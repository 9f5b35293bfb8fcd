// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/simulation/simulator.hpp"

#include "../racks.hpp"

namespace nvl72block::replay {
namespace {

class Simulator : public testing::Test {
  protected:
    /// Start times of the jobs on four racks of four; -1: refused.
    std::vector<std::int64_t> starts(const std::vector<Job>& jobs, std::uint32_t reservations = 1,
                                     const char* strategy = "pack") {
        const Topology topology = racks(4, 4);
        SimulationOptions options;
        options.in_service = idle_nodes(topology, {4, 4, 4, 4});
        options.reservations = reservations;
        std::vector<std::int64_t> times;
        for (const JobOutcome& outcome :
             simulate(topology, jobs, *make_strategy(strategy), options, {}))
            times.push_back(outcome.refused ? -1 : outcome.start);
        return times;
    }
};

using Times = std::vector<std::int64_t>;

TEST_F(Simulator, StartsJobsThatFitAtOnce) {
    EXPECT_EQ(starts({{5, 10, 8, 0}, {6, 10, 8, 0}}), (Times{5, 6}));
}

TEST_F(Simulator, QueuesJobsInOrder) {
    EXPECT_EQ(starts({{0, 10, 16, 0}, {1, 10, 16, 0}, {2, 10, 16, 0}}), (Times{0, 10, 20}));
}

TEST_F(Simulator, BackfillsWhatDelaysNoReservation) {
    // The second job waits for the first. The third ends in time, the fourth would not.
    EXPECT_EQ(starts({{0, 100, 8, 0}, {1, 50, 16, 0}, {2, 98, 8, 0}}), (Times{0, 100, 2}));
    EXPECT_EQ(starts({{0, 100, 8, 0}, {1, 50, 16, 0}, {2, 99, 8, 0}}), (Times{0, 100, 150}));
}

TEST_F(Simulator, BackfillPlansWithTimeLimitsAndJobsEndEarlier) {
    // The first job ends at 60 although its limit is 100: the second starts then. The third would
    // end at 62, before its reservation, but its limit of 99 does not.
    EXPECT_EQ(starts({{0, 60, 8, 0, 100}, {1, 50, 16, 0}, {2, 50, 8, 0, 98}}), (Times{0, 60, 2}));
    EXPECT_EQ(starts({{0, 60, 8, 0, 100}, {1, 50, 16, 0}, {2, 50, 8, 0, 99}}), (Times{0, 60, 110}));
}

TEST_F(Simulator, BackfillsBesideAReservation) {
    // The reserved job takes racks that leave others free, also after its start.
    EXPECT_EQ(starts({{0, 100, 12, 0}, {1, 50, 8, 0}, {2, 500, 4, 0}}), (Times{0, 100, 2}));
}

TEST_F(Simulator, MoreReservationsProtectMoreJobs) {
    // The third job waits for both racks of the second; only its own reservation keeps the
    // fourth from starting in its way.
    const std::vector<Job> jobs = {
        {0, 100, 8, 0}, {1, 100, 16, 0}, {2, 100, 16, 0}, {3, 90, 8, 0}, {4, 250, 8, 0}};
    const Times easy = starts(jobs, 1);
    const Times conservative = starts(jobs, 10);
    EXPECT_EQ(conservative, (Times{0, 100, 200, 3, 300}));
    EXPECT_EQ(easy[1], 100);
    EXPECT_EQ(easy[3], 3);
}

TEST_F(Simulator, RefusesWhatTheEmptySiteCannotHold) {
    EXPECT_EQ(starts({{0, 10, 17, 0}, {1, 10, 4, 0}}), (Times{-1, 1}));
    EXPECT_EQ(starts({{0, 10, 6, 4}, {1, 10, 4, 0}}), (Times{-1, 1}));  // 6 is no multiple of 4
}

TEST_F(Simulator, NeverGivesANodeTwice) {
    std::vector<Job> jobs;
    for (std::uint32_t i = 0; i < 200; ++i)
        jobs.push_back({i * 3, 5 + (i * 37) % 50, 1 + (i * 7) % 16, (i % 3 == 0) ? 1U : 0U});
    const Topology topology = racks(4, 4);
    SimulationOptions options;
    options.in_service = idle_nodes(topology, {4, 4, 4, 4});
    for (const std::string& name : strategy_names()) {
        const auto outcomes = simulate(topology, jobs, *make_strategy(name), options, {});
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            ASSERT_FALSE(outcomes[i].refused);
            ASSERT_GE(outcomes[i].start, jobs[i].submit);
            for (std::size_t j = 0; j < i; ++j) {
                if (outcomes[j].start + jobs[j].duration <= outcomes[i].start ||
                    outcomes[i].start + jobs[i].duration <= outcomes[j].start)
                    continue;
                NodeSet rest = outcomes[i].placement.nodes;
                rest.subtract(outcomes[j].placement.nodes);
                ASSERT_EQ(rest.count(), jobs[i].nodes) << name << ": jobs " << i << " and " << j;
            }
        }
    }
}

}  // namespace
}  // namespace nvl72block::replay
