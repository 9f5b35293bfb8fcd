// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/state/parse.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

/// As scontrol 24.11.5 prints a job with --exclusive=topo: Exclusive= and SegmentSize= came later.
const char* const line_24 =
    "JobId=6 JobName=wrap UserId=root(0) GroupId=root(0) MCS_label=N/A Priority=1 Nice=0 "
    "Account=(null) QOS=(null) JobState=PENDING Reason=BadConstraints Dependency=(null) Requeue=1 "
    "Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:1 RunTime=00:00:00 TimeLimit=UNLIMITED "
    "TimeMin=N/A SubmitTime=2026-11-22T20:51:14 EligibleTime=2026-11-22T20:51:14 "
    "AccrueTime=Unknown StartTime=2026-11-22T20:51:14 EndTime=2026-11-22T20:51:14 Deadline=N/A "
    "SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-22T20:51:14 Scheduler=Main "
    "Partition=main AllocNode:Sid=localhost:0 ReqNodeList=n[1-2] ExcNodeList=n3 NodeList= "
    "NumNodes=2 NumCPUs=2 NumTasks=N/A CPUs/Task=1 ReqB:S:C:T=0:0:*:* "
    "ReqTRES=cpu=2,mem=1800000M,node=2,billing=2 AllocTRES=(null) Socks/Node=* "
    "NtasksPerN:B:S:C=0:0:*:* CoreSpec=* MinCPUsNode=1 MinMemoryNode=0 MinTmpDiskNode=0 "
    "Features=blue DelayBoot=00:00:00 OverSubscribe=TOPO Contiguous=0 Licenses=(null) "
    "Network=(null) Command=(null) WorkDir=/home/alice StdErr=/dev/null StdIn=/dev/null "
    "StdOut=/dev/null TresPerNode=gres/gpu:4 \n";

const NodeTable table({"n1", "n2", "n3", "n4"});

JobRecord parse_one(const std::string& line) {
    Notes notes;
    const std::vector<JobRecord> jobs =
        parse_jobs(listing_text("|", squeue_output(line, "|")), line, table, notes);
    EXPECT_EQ(jobs.size(), 1U) << line;
    EXPECT_TRUE(notes.remarks().empty()) << notes.remarks().front();
    return jobs.empty() ? JobRecord() : jobs.front();
}

TEST(ParseJobs, ReadsWhat2411Prints) {
    const JobRecord job = parse_one(line_24);
    EXPECT_EQ(job.id, 6U);
    EXPECT_EQ(job.user, "root");
    EXPECT_EQ(job.state, JobState::pending);
    EXPECT_EQ(job.reason, "BadConstraints");
    EXPECT_EQ(table.hostlist(job.required), "n[1-2]");
    EXPECT_EQ(table.hostlist(job.excluded), "n3");
    EXPECT_EQ(job.min_nodes, 2U);
    EXPECT_TRUE(job.exclusive_topo);
    EXPECT_EQ(job.features, "blue");
    EXPECT_EQ(job.gpus_per_node, 4U);
    EXPECT_FALSE(job.time_limit);
}

TEST(ParseJobs, ReadsSegmentsAsThe2605Prints) {
    JobLine line;
    line.count = "18-18";
    line.exclusive = "NO";
    line.more = "SegmentSize=9 ConsolidateSegments=Yes";
    const JobRecord job = parse_one(job_line(line));
    EXPECT_EQ(job.segment_size, 9U);
    EXPECT_TRUE(job.consolidate_segments);
    EXPECT_FALSE(job.spread_segments);
    EXPECT_FALSE(job.exclusive_node);
    EXPECT_EQ(job.max_nodes, 18U);
    EXPECT_EQ(job.time_limit, 3600);
}

TEST(ParseJobs, TakesTheSegmentFromThePluginsOwnWords) {
    JobLine line;
    line.more =
        "SystemComment=nvl72block: needs 4 segments of 16 nodes; only 3 fit in the whole "
        "cluster";
    EXPECT_EQ(parse_one(job_line(line)).segment_size, 16U);
    line.more = "SystemComment=somebody: needs 4 segments of 16 nodes";
    EXPECT_EQ(parse_one(job_line(line)).segment_size, 0U);
}

TEST(ParseJobs, LabelsAreThoseOfSqueue) {
    JobLine line;
    line.id = 7;
    line.identity = "ArrayJobId=7 ArrayTaskId=3-4%2 ArrayTaskThrottle=2";
    EXPECT_EQ(parse_one(job_line(line)).label(), "7_[3-4%2]");
    line.identity = "ArrayJobId=7 ArrayTaskId=1 ArrayTaskThrottle=2";
    EXPECT_EQ(parse_one(job_line(line)).label(), "7_1");
    line.identity = "HetJobId=10 HetJobOffset=1";
    EXPECT_EQ(parse_one(job_line(line)).label(), "10+1");
    line.identity = "";
    EXPECT_EQ(parse_one(job_line(line)).label(), "7");
}

TEST(ParseJobs, SaysWhatItDoesNotUnderstand) {
    Notes notes;
    JobLine line;
    line.count = "1,3,7";
    const auto jobs =
        parse_jobs(listing_text("|", squeue_output(job_line(line), "|")),
                   "No jobs in the system\nwhat is this\n" + job_line(line), table, notes);
    ASSERT_EQ(jobs.size(), 1U);
    EXPECT_EQ(jobs[0].min_nodes, 1U);
    EXPECT_EQ(jobs[0].max_nodes, 7U);
    EXPECT_EQ(
        notes.remarks(),
        (std::vector<std::string>{"a line about jobs is not understood: what is this",
                                  "job 1: of the node counts 1,3,7 only the range is considered"}));
}

TEST(ParseJobs, AnOldSnapshotIsReadWithANote) {
    Notes notes;
    JobLine line;
    line.name = "x JobState=RUNNING NumNodes=99";
    const auto jobs = parse_jobs_of_scontrol(job_line(line), table, notes);
    ASSERT_EQ(jobs.size(), 1U);
    EXPECT_EQ(jobs[0].state, JobState::pending);
    EXPECT_EQ(jobs[0].min_nodes, 1U);
    EXPECT_EQ(notes.remarks(),
              std::vector<std::string>{
                  "the snapshot has no list of squeue, as those of nvl72block 0.2.0: what the "
                  "names and comments of its jobs contain can pass for jobs"});
}

std::uint32_t tasks_of(const std::string& tasks) {
    JobRecord job;
    job.array_id = 7;
    job.array_tasks = tasks;
    return job.tasks_of_array();
}

TEST(TasksOfArray, ListsRangesAndSteps) {
    EXPECT_EQ(tasks_of("3"), 1U);
    EXPECT_EQ(tasks_of("1-4%2"), 4U);
    EXPECT_EQ(tasks_of("1-9:2,12"), 6U);
    EXPECT_EQ(tasks_of("1,3-4,7"), 4U);
}

TEST(TasksOfArray, AnythingElseIsOneTask) {
    for (const char* text : {"", "x", "4-1", "1-4:0", "1-9,...", "0-4294967295"})
        EXPECT_EQ(tasks_of(text), 1U) << text;
    EXPECT_EQ(JobRecord().tasks_of_array(), 1U);
}

}  // namespace
}  // namespace nvl72block::cli
