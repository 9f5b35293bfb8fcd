// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/sacct_log.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace nvl72block::replay {
namespace {

const std::string header = "Submit|Start|End|Timelimit|NNodes|ReqTRES\n";

Trace read_text(const std::string& text) {
    std::istringstream stream(text);
    return read_trace(stream, "jobs.txt");
}

Trace read(const std::string& lines) {
    return read_text(header + lines);
}

TEST(SacctLog, ReadsJobs) {
    const Trace trace = read(
        "2026-03-01T10:00:00|2026-03-01T10:05:00|2026-03-01T11:05:00|02:00:00|16|"
        "billing=64,cpu=64,gres/gpu=64,gres/gpu:gb200=64,mem=1T,node=16\n"
        "2026-03-01T09:59:00|2026-03-01T10:00:00|2026-03-01T10:00:30|1-12:00:00|2K|cpu=4\n");
    ASSERT_EQ(trace.jobs.size(), 2U);
    EXPECT_EQ(trace.jobs[0].arrival, 0);
    EXPECT_EQ(trace.jobs[0].duration, 30);
    EXPECT_EQ(trace.jobs[0].nodes, 2048U);
    EXPECT_EQ(trace.jobs[0].gpus, 0U);
    EXPECT_EQ(trace.jobs[0].time_limit, 36 * 3600);
    EXPECT_EQ(trace.jobs[1].arrival, 60);
    EXPECT_EQ(trace.jobs[1].duration, 3600);
    EXPECT_EQ(trace.jobs[1].nodes, 16U);
    EXPECT_EQ(trace.jobs[1].gpus, 64U);
    EXPECT_EQ(trace.jobs[1].time_limit, 7200);
    EXPECT_FALSE(trace.jobs[1].segment.has_value());
}

TEST(SacctLog, CountsJobsThatNeverRan) {
    const Trace trace = read(
        "100|None|200|01:00:00|4|\n"         // cancelled while it waited
        "100|Unknown|Unknown|01:00:00|4|\n"  // still waits, or the rest of an array
        "100|150|150|01:00:00|4|\n"          // the same in older Slurm versions
        "100|150|250|01:00:00|4|\n");
    EXPECT_EQ(trace.jobs.size(), 1U);
    EXPECT_EQ(trace.not_run, 3U);
}

TEST(SacctLog, ARunningJobHasRunUntilTheLastTimeOfTheLog) {
    const Trace trace = read("100|150|Unknown|UNLIMITED|4|\n120|130|900|Partition_Limit|1|\n");
    EXPECT_EQ(trace.jobs[0].duration, 750);
    EXPECT_EQ(trace.jobs[0].time_limit, 0);
    EXPECT_EQ(trace.jobs[1].time_limit, 0);
}

/// A job whose end the accounting had lost kept its nodes until the end of the log.
TEST(SacctLog, AJobWithoutAnEndRunsNoLongerThanItsTimeLimit) {
    std::istringstream stream(header +
                              "0|0|Unknown|1-00:00:00|4|\n"
                              "31000000|31000000|Unknown|1-00:00:00|4|\n"
                              "0|0|31050000|UNLIMITED|2|\n");
    const Trace log = read_log(stream, "jobs.txt");
    ASSERT_EQ(log.jobs.size(), 3U);
    EXPECT_EQ(log.jobs[0].duration, 86400);
    EXPECT_EQ(log.jobs[1].duration, 50000);
    EXPECT_EQ(log.ends_lost, 1U);
}

TEST(SacctLog, TakesColumnsInAnyOrderAndMoreOfThem) {
    const Trace trace = read_text(
        "JobID|NNodes|End|Start|Submit|SegmentSize|JobName\n"
        "7_1|32|200|100|50|16|a \"b\n"
        "7_1.batch|1|200|100|50||batch\n"
        "8|4|200|100|60||c\n");
    ASSERT_EQ(trace.jobs.size(), 2U);
    EXPECT_EQ(trace.jobs[0].segment, 16U);
    EXPECT_EQ(trace.jobs[1].segment, 0U);
}

TEST(SacctLog, AddsUpTypesOfGpusWithoutATotal) {
    EXPECT_EQ(read("1|2|3||4|gres/gpu:a=3,gres/gpu:b=5\n").jobs[0].gpus, 8U);
}

TEST(SacctLog, ReadsTimeLimitsAsSlurmDoes) {
    EXPECT_EQ(read("1|2|3|1-02:00:00|4|\n").jobs[0].time_limit, 93600);
    EXPECT_EQ(read("1|2|3|5|4|\n").jobs[0].time_limit, 300);
}

TEST(SacctLog, NamesTheBadLine) {
    for (const char* line :
         {"1|2|3||4", "1|2|3||4||", "x|2|3||4|", "1|x|3||4|", "1|2|x||4|", "1|2|3|x|4|",
          "1|2|3|1:2:3:4|4|", "1|2|3||0|", "1|2|3||-1|", "1|2|3||x|", "1|2|3||1e9|",
          "1|2|3||4|gres/gpu=x", "Unknown|2|3||4|"}) {
        try {
            (void)read("1|2|3||4|\n" + std::string(line) + "\n");
            ADD_FAILURE() << line;
        } catch (const TraceError& error) {
            EXPECT_EQ(std::string(error.what()).rfind("jobs.txt:3: ", 0), 0U) << error.what();
        }
    }
    EXPECT_THROW((void)read_text("Submit|Start\n1|2\n"), TraceError);
    EXPECT_THROW((void)read("1|None|None||4|\n"), TraceError);  // no job ran
}

}  // namespace
}  // namespace nvl72block::replay
