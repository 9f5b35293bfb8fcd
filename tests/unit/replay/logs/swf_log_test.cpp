// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/swf_log.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace nvl72block::replay {
namespace {

Trace read(const std::string& text) {
    std::istringstream stream(text);
    return read_trace(stream, "jobs.swf");
}

TEST(SwfLog, ReadsJobsWithProcessorsPerNodeFromTheHeader) {
    const Trace trace = read(
        "; Version: 2.2\n"
        ";  MaxNodes: 32 (of which 2 are for logins)\n"
        "; MaxProcs: 256\n"
        "  1 10 5 100 20 -1 -1 24 600 -1 1 3 1 1 1 1 -1 -1\n"
        "2 70 5 0 -1 -1 -1 8 -1 -1 0 3 1 1 1 1 -1 -1\n");
    ASSERT_EQ(trace.jobs.size(), 2U);
    EXPECT_EQ(trace.jobs[0].duration, 100);
    EXPECT_EQ(trace.jobs[0].nodes, 3U);  // 20 processors on nodes of 8
    EXPECT_EQ(trace.jobs[0].time_limit, 600);
    EXPECT_EQ(trace.jobs[1].arrival, 60);
    EXPECT_EQ(trace.jobs[1].duration, 1);
    EXPECT_EQ(trace.jobs[1].nodes, 1U);  // requested, for what it had is not recorded
    EXPECT_EQ(trace.jobs[1].time_limit, 0);
}

TEST(SwfLog, WithoutAHeaderAProcessorIsANode) {
    EXPECT_EQ(read("1 0 5 100 20 -1 -1 24 600 -1 1 3 1 1 1 1 -1 -1\n").jobs[0].nodes, 20U);
}

TEST(SwfLog, LeavesOutJobsThatNeverRanAndPartsOfJobs) {
    const Trace trace = read(
        ";\n"
        "1 0 -1 -1 -1 -1 -1 8 600 -1 5 3 1 1 1 1 -1 -1\n"
        "2 0 1 50 8 -1 -1 8 600 -1 2 3 1 1 1 1 -1 -1\n"
        "2 0 1 90 8 -1 -1 8 600 -1 1 3 1 1 1 1 -1 -1\n");
    ASSERT_EQ(trace.jobs.size(), 1U);
    EXPECT_EQ(trace.jobs[0].duration, 90);
    EXPECT_EQ(trace.not_run, 1U);
}

TEST(SwfLog, NamesTheBadLine) {
    for (const char* line : {"1 2 3", "x", "1 0 5 y 20 -1 -1 24 600 -1 1 3 1 1 1 1 -1 -1",
                             "1 -7 5 9 20 -1 -1 24 600 -1 1 3 1 1 1 1 -1 -1",
                             "1 0 5 9 1e9 -1 -1 24 600 -1 1 3 1 1 1 1 -1 -1"}) {
        try {
            (void)read("; Version: 2\n" + std::string(line) + "\n");
            ADD_FAILURE() << line;
        } catch (const TraceError& error) {
            EXPECT_EQ(std::string(error.what()).rfind("jobs.swf:2: ", 0), 0U) << error.what();
        }
    }
    EXPECT_THROW((void)read("; Version: 2\n"), TraceError);
}

}  // namespace
}  // namespace nvl72block::replay
