// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/services.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

std::vector<Job> services(std::uint64_t seed, Limits limits = Limits::exact) {
    Random random(seed);
    return make_services({100, -10 * day, 60 * day}, limits, random);
}

/// Nodes of the services that have been submitted and, if each starts at once, have not ended.
double nodes_at(const std::vector<Job>& jobs, std::int64_t time) {
    double nodes = 0;
    for (const Job& job : jobs)
        if (job.submit <= time && time < job.submit + job.duration) nodes += job.nodes;
    return nodes;
}

TEST(Services, AlwaysTakeTheNodesAskedFor) {
    const std::vector<Job> jobs = services(1);
    for (std::int64_t time = -10 * day; time < 60 * day; time += day / 3) {
        EXPECT_GE(nodes_at(jobs, time), 100) << time;
        EXPECT_LT(nodes_at(jobs, time), 104) << time;
    }
}

TEST(Services, AreSmallAndLive1To120Days) {
    std::set<std::uint32_t> sizes;
    for (const Job& job : services(2)) {
        sizes.insert(job.nodes);
        EXPECT_LE(job.duration, 120 * day);
        if (job.submit > -10 * day) {
            EXPECT_GE(job.duration, day);
        }
        EXPECT_GE(job.submit, -10 * day);
        EXPECT_LE(job.submit, 60 * day);
    }
    EXPECT_EQ(sizes, (std::set<std::uint32_t>{1, 2, 4}));
}

TEST(Services, AreSortedAndTheSameForASeed) {
    const std::vector<Job> jobs = services(3);
    EXPECT_TRUE(std::is_sorted(jobs.begin(), jobs.end(), [](const Job& left, const Job& right) {
        return left.submit < right.submit;
    }));
    EXPECT_EQ(services(3).back().duration, jobs.back().duration);
    EXPECT_NE(services(4).size(), 0U);
}

TEST(Services, TypicalLimitsAreNeverShorterThanWhatIsLeft) {
    bool longer = false;
    for (const Job& job : services(5, Limits::typical)) {
        EXPECT_GE(job.planned(), job.duration);
        longer = longer || job.planned() > job.duration;
    }
    EXPECT_TRUE(longer);
}

TEST(Services, NoneAreMadeForNoNodes) {
    Random random(1);
    EXPECT_TRUE(make_services({0, 0, day}, Limits::exact, random).empty());
}

}  // namespace
}  // namespace nvl72block::replay
