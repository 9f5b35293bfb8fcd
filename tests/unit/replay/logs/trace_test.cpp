// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/trace.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace nvl72block::replay {
namespace {

Trace read_all(const std::string& text) {
    std::istringstream stream(text);
    return read_trace(stream, "trace.csv");
}

std::vector<TraceJob> read(const std::string& text) {
    return read_all(text).jobs;
}

TEST(Trace, ReadsTheKalosForm) {
    const auto jobs = read(
        "job_id,arrival_time,num_iteration,gpu_workers,gpu_per_worker\n"
        "0,100.0,208,8,8.0\n"
        "1,413.0,3,1,1.0\r\n");
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_EQ(jobs[0].arrival, 0);
    EXPECT_EQ(jobs[0].duration, 104);
    EXPECT_EQ(jobs[0].gpus, 64U);
    EXPECT_EQ(jobs[1].arrival, 313);
    EXPECT_EQ(jobs[1].duration, 2);
    EXPECT_EQ(jobs[1].gpus, 1U);
}

TEST(Trace, ReadsThePhillyFormAndSortsIt) {
    const auto jobs = read(
        "timestamp,duration,num_gpus,gpu_time,cluster\n"
        "2017-10-10 00:00:05,66.0,2,132.0,a\n"
        "2017-10-09 23:59:55,0.2,1,0.2,b\n");
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_EQ(jobs[0].arrival, 0);
    EXPECT_EQ(jobs[0].duration, 1);  // no job takes no time
    EXPECT_EQ(jobs[1].arrival, 10);
    EXPECT_EQ(jobs[1].gpus, 2U);
}

TEST(Trace, NamesTheBadLine) {
    const std::string header = "timestamp,duration,num_gpus\n0,10,1\n";
    for (const char* line :
         {"1,10", "1,10,0", "1,10,-4", "1,x,1", "1,10,1e9", "1,nan,1", "1,-5,1", ",10,1",
          "2017-13-01 00:00:00,10,1", "1e300,10,1", "1,10,1,9", "1,\"10,1"}) {
        try {
            (void)read(header + line + "\n");
            ADD_FAILURE() << line;
        } catch (const TraceError& error) {
            EXPECT_EQ(std::string(error.what()).rfind("trace.csv:3: ", 0), 0U) << error.what();
            EXPECT_NE(std::string(error.what()).find("; "), std::string::npos) << "no remedy";
        }
    }
}

TEST(Trace, ReadsQuotedCells) {
    const auto jobs = read(
        "name,timestamp,duration,num_gpus\n"
        "\"train, long\",0,10,4\n"
        "\n"
        "\"a \"\"b\"\"\",5,\"20\",8\n");
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_EQ(jobs[1].duration, 20);
}

/// The Philly log begins with 20 days that have 71 of its 82,247 jobs. A replay of them beside
/// other jobs had almost no small jobs for its first third.
TEST(Trace, CutsOffANearlyEmptyBeginning) {
    std::string text = "timestamp,duration,num_gpus\n5,10,1\n86500,10,1\n";
    for (int i = 0; i < 100; ++i) text += std::to_string(5 * 86400 + 100 + i * 1000) + ",10,1\n";
    const Trace trace = read_all(text);
    EXPECT_EQ(trace.early_days, 5U);
    EXPECT_EQ(trace.early_jobs, 2U);
    ASSERT_EQ(trace.jobs.size(), 100U);
    EXPECT_EQ(trace.jobs[0].arrival, 0);
    EXPECT_EQ(trace.jobs[1].arrival, 1000);
}

TEST(Trace, KeepsQuietDaysLater) {
    const Trace trace =
        read_all("timestamp,duration,num_gpus\n0,10,1\n1,10,1\n400000,10,1\n900000,10,1\n");
    EXPECT_EQ(trace.early_days, 0U);
    EXPECT_EQ(trace.jobs.size(), 4U);
}

TEST(Trace, RefusesWhatIsNoTrace) {
    EXPECT_THROW((void)read(""), TraceError);
    EXPECT_THROW((void)read("a,b,c\n1,2,3\n"), TraceError);
    EXPECT_THROW((void)read("timestamp,duration,num_gpus\n"), TraceError);
}

}  // namespace
}  // namespace nvl72block::replay
