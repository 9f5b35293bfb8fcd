// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/state/readers.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

const NodeTable table({"n1", "n2", "n3", "n4"});

std::vector<JobRecord> read(const std::string& jobs, Notes& notes) {
    SnapshotText text;
    text.jobs = jobs;
    return read_jobs(text.document(), table, notes);
}

JobRecord read_one(const JobLine& line) {
    Notes notes;
    const std::vector<JobRecord> jobs = read(job_line(line), notes);
    EXPECT_TRUE(notes.remarks().empty()) << notes.remarks().front();
    return jobs.at(0);
}

TEST(ReadJobs, ReadsARequest) {
    JobLine line;
    line.id = 6;
    line.count = "2-4";
    line.required = "n[1-2]";
    line.excluded = "n3";
    line.features = "blue";
    line.exclusive = "topo";
    line.limit = "UNLIMITED";
    line.more = {{"tres_per_node", "gres/gpu:4"}, {"memory_per_node", 7}, {"tasks_per_node", 3}};
    const JobRecord job = read_one(line);
    EXPECT_EQ(job.id, 6U);
    EXPECT_EQ(job.user, "alice");
    EXPECT_EQ(job.state, JobState::pending);
    EXPECT_EQ(job.reason, "Resources");
    EXPECT_EQ(table.hostlist(job.required), "n[1-2]");
    EXPECT_EQ(table.hostlist(job.excluded), "n3");
    EXPECT_EQ(job.min_nodes, 2U);
    EXPECT_EQ(job.max_nodes, 4U);
    EXPECT_TRUE(job.exclusive_topo);
    EXPECT_EQ(job.features, "blue");
    EXPECT_EQ(job.gpus_per_node, 4U);
    EXPECT_EQ(job.min_memory_node, 7U);
    EXPECT_EQ(job.tasks_per_node, 3U);
    EXPECT_FALSE(job.time_limit);
}

TEST(ReadJobs, ReadsSegments) {
    JobLine line;
    line.count = "18-18";
    line.exclusive = "";
    line.more = {{"segment_size", 9}, {"consolidate_segments", true}};
    const JobRecord job = read_one(line);
    EXPECT_EQ(job.segment_size, 9U);
    EXPECT_TRUE(job.consolidate_segments);
    EXPECT_FALSE(job.spread_segments);
    EXPECT_FALSE(job.exclusive_node);
    EXPECT_EQ(job.time_limit, 3600);
}

TEST(ReadJobs, TakesTheSegmentFromThePluginsOwnWords) {
    JobLine line;
    line.more["system_comment"] =
        "nvl72block: needs 4 segments of 16 nodes; only 3 fit in the whole cluster";
    EXPECT_EQ(read_one(line).segment_size, 16U);
    line.more["system_comment"] = "somebody: needs 4 segments of 16 nodes";
    EXPECT_EQ(read_one(line).segment_size, 0U);
    EXPECT_FALSE(read_one(line).tells_segments);
}

/// Of a job that slurmctld has not asked the plugin about, the comment has its segments only.
TEST(ReadJobs, NotAskedIsNoSentence) {
    JobLine line;
    for (const auto& [words, size] : {std::pair{"; segments of 9", 9U}, {"", 0U}}) {
        line.more["system_comment"] = std::string("nvl72block: not asked about free nodes") + words;
        const JobRecord job = read_one(line);
        EXPECT_EQ(job.segment_size, size);
        EXPECT_TRUE(job.tells_segments);
        EXPECT_EQ(job.told, "");
    }
    line.more["system_comment"] = "nvl72block: started in 1 base block (1 x 4 nodes); waited 9 s";
    EXPECT_FALSE(read_one(line).tells_segments);  // of the run before
    line.state = "RUNNING";
    EXPECT_TRUE(read_one(line).tells_segments);
}

/// After the first evaluation of -N36-60 slurmctld has 60 as its least number of nodes.
TEST(ReadJobs, TheLeastOfARangeIsInTheTres) {
    JobLine line;
    line.count = "60-60";
    line.more["tres"] = "cpu=36,mem=2G,node=36,billing=36";
    const JobRecord job = read_one(line);
    EXPECT_EQ(job.min_nodes, 36U);
    EXPECT_EQ(job.max_nodes, 60U);
    EXPECT_EQ(job.used_memory, 2048U);
}

TEST(ReadJobs, LabelsAreThoseOfSqueue) {
    JobLine line;
    line.id = 7;
    EXPECT_EQ(read_one(line).label(), "7");
    line.more = {{"array_id", 7}, {"array_tasks", "3-4%2"}};
    EXPECT_EQ(read_one(line).label(), "7_[3-4%2]");
    line.more = {{"array_id", 7}, {"array_tasks", "1"}};
    EXPECT_EQ(read_one(line).label(), "7_1");
    line.more = {{"het_id", 10}, {"het_offset", 1}};
    EXPECT_EQ(read_one(line).label(), "10+1");
}

/// Slurm shows a flag in place of the state: `why` took the job for one that has ended.
TEST(ReadJobs, AJobWithoutItsReservationWaits) {
    JobLine line;
    line.state = "RESV_DEL_HOLD";
    EXPECT_EQ(read_one(line).state, JobState::pending);
    line.nodes = "n1";
    EXPECT_EQ(read_one(line).state, JobState::running);
    JobLine requeued;
    requeued.state = "EXPEDITING";
    EXPECT_EQ(read_one(requeued).state, JobState::pending);
}

TEST(ReadJobs, SaysWhatIsNotConsidered) {
    JobLine line;
    line.count = "1-7";
    line.more["node_counts"] = "1,3,7";
    EXPECT_EQ(read_one(line).not_modelled, std::vector<std::string>{"--nodes=1,3,7"});
}

/// Jobs with these options were judged as if they had none of them.
TEST(ReadJobs, NamesOptionsThatAreNotModelled) {
    const auto named = [](const char* member, const nlohmann::json& value) {
        JobLine line;
        line.more[member] = value;
        return read_one(line).not_modelled;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(named("memory_per_tres", "gres/gpu:1024"), Names{"--mem-per-gpu"});
    EXPECT_EQ(named("cpus_per_tres", "gres:gpu:2"), Names{"--cpus-per-gpu"});
    // What Slurm writes for a partition's DefMemPerGPU= and DefCpuPerGPU=.
    EXPECT_EQ(named("memory_per_tres", "gpu:1024"), Names{});
    EXPECT_EQ(named("cpus_per_tres", "gpu:2"), Names{});
    EXPECT_EQ(named("tres_per_socket", "gres/gpu:1"), Names{"--gpus-per-socket"});
    EXPECT_EQ(named("tasks_per_socket", 2), Names{"--ntasks-per-socket"});
    EXPECT_EQ(named("tasks_per_tres", 2), Names{"--ntasks-per-gpu"});
    EXPECT_EQ(named("temporary_disk", 500), Names{"--tmp"});
    EXPECT_EQ(named("tasks_per_core", 1), Names{"--ntasks-per-core"});
    EXPECT_EQ(named("sockets_per_node", 1), Names{"--sockets-per-node"});
    EXPECT_EQ(named("cores_per_socket", 2), Names{"--cores-per-socket"});
    EXPECT_EQ(named("core_spec", true), Names{"--core-spec"});
    EXPECT_EQ(named("tasks", 99), Names{});  // of a range of nodes
    JobLine many;
    many.more = {{"tasks", 99}, {"tasks_asked", true}};
    EXPECT_EQ(read_one(many).not_modelled, Names{"--overcommit"});
    EXPECT_EQ(named("enforces_binding", true), Names{"--gres-flags=enforce-binding"});
    EXPECT_EQ(named("tres_per_node", "gres/gpu:4,gres/shard:8"), Names{"--gres=shard:8"});
    EXPECT_EQ(named("tres_per_node", "gres:gpu:gb200:4"), Names{});
}

// `sbatch -J $'a\nJobId=9999 JobState=RUNNING NodeList=...'` made a job 9999 of scontrol's text.
TEST(ReadJobs, ANameIsNothingElse) {
    JobLine line;
    line.name = "a\nJobId=9999 JobState=RUNNING NodeList=n[1-4]\",\"id\":9999}\x1b[2J";
    const JobRecord job = read_one(line);
    EXPECT_EQ(job.id, 1U);
    EXPECT_EQ(job.state, JobState::pending);
    EXPECT_EQ(job.name, "a\\x0aJobId=9999 JobState=RUNNING NodeList=n[1-4]\",\"id\":9999}\\x1b[2J");
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
