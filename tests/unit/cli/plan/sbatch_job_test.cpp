// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <sstream>

#include "../state/snapshot_folder.hpp"
#include "cli/plan/sbatch_line.hpp"

namespace nvl72block::cli {
namespace {

class SbatchJobTest : public testing::Test {
  protected:
    [[nodiscard]] JobRecord record(std::vector<std::string> words) {
        words.insert(words.begin(), "sbatch");
        std::ostringstream notes;
        const ClusterState state = read_state({SnapshotText().write(folder_), ""}, notes);
        return sbatch_job(state, parse_sbatch_line(words));
    }
    Result plan(const SnapshotText& text, std::vector<std::string> words) {
        words.insert(words.begin(),
                     {"plan", "--state", text.write(folder_), "--json", "--", "sbatch"});
        return run_command(words);
    }

    Folder folder_;
};

TEST_F(SbatchJobTest, CountsAsSbatchDoes) {
    EXPECT_EQ(record({"-N4-8"}).max_nodes, 8U);
    EXPECT_EQ(record({"-N4-8"}).tasks, 4U);
    EXPECT_EQ(record({"-N4", "--ntasks-per-node=4"}).tasks, 16U);
    EXPECT_EQ(record({"-N8", "-n6"}).min_nodes, 6U);
    EXPECT_EQ(record({"-n16", "--ntasks-per-node=4"}).min_nodes, 4U);
    EXPECT_EQ(record({"-n20", "-c2"}).cpus, 40U);
    EXPECT_EQ(record({"-N2", "-n20", "-O"}).cpus, 2U);
    EXPECT_EQ(record({"-n20"}).min_nodes, 1U);
    EXPECT_EQ(record({"-n20"}).max_nodes, 0U);       // as many nodes as hold them
    EXPECT_EQ(record({"--gpus=16"}).max_nodes, 0U);  // as many nodes as hold them
    EXPECT_EQ(record({"-w", "n[02-04]"}).min_nodes, 3U);
    EXPECT_EQ(record({"-w", "n[02-04]"}).max_nodes, 3U);
    EXPECT_EQ(record({"-w", "n[02-04]", "-n40"}).max_nodes, 0U);
    EXPECT_EQ(record({"--wrap=true"}).max_nodes, 1U);
}

TEST_F(SbatchJobTest, ReadsWhatNodesMustHave) {
    const JobRecord job = record(
        {"-N2", "--gpus-per-node=gb200:4", "--mem=2G", "-Cblue", "-t90", "--exclusive=topo"});
    EXPECT_EQ(job.gpus_per_node, 4U);
    EXPECT_EQ(job.gpu_type, "gb200");
    EXPECT_EQ(record({"-N2", "--gpus=8", "--gres=gpu:b300:4", "--mem=2g"}).gpu_type, "b300");
    EXPECT_EQ(job.min_memory_node, 2048U);
    EXPECT_EQ(job.features, "blue");
    EXPECT_EQ(job.time_limit, 5400);
    EXPECT_TRUE(job.exclusive_topo);
    EXPECT_EQ(job.partition, "main");
    EXPECT_EQ(record({"-N1", "--gres=gpu:2"}).gpus_per_node, 2U);
}

/// debug has four nodes at most: a count that follows from the tasks was refused as a range, and
/// that of GPUs went beyond.
TEST_F(SbatchJobTest, AnOpenCountKeepsThePartitionsLimits) {
    const auto debug = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"-pdebug", "--exclusive"});
        return plan(SnapshotText(), words);
    };
    EXPECT_EQ(debug({"-n200"}).json()["nodes"], "n[01-02]");
    EXPECT_EQ(debug({"-n200", "-w", "n03"}).json()["counts"]["nodes"], 2);
    EXPECT_EQ(debug({"--gpus=16"}).json()["counts"]["nodes"], 4);
    EXPECT_EQ(debug({"--gpus=17"}).status, 1);
    EXPECT_EQ(debug({"-N2-4", "--gpus=12"}).json()["counts"]["nodes"],
              3);  // the fewest that hold them
}

/// A list was refused as no number, and 4k, too.
TEST_F(SbatchJobTest, NodeCountsMayBeListed) {
    EXPECT_EQ(record({"-N2,4,8"}).node_counts, (std::vector<std::uint32_t>{2, 4, 8}));
    EXPECT_EQ(record({"-N2,4,8", "-n5"}).node_counts, (std::vector<std::uint32_t>{2, 4}));
    EXPECT_EQ(record({"-N4k"}).min_nodes, 4096U);
    const auto nodes = [&](const char* map, std::vector<std::string> words) {
        words.emplace_back("--exclusive");
        return plan(SnapshotText(map), words);
    };
    EXPECT_EQ(nodes("................", {"-N2,4,8"}).json()["counts"]["nodes"], 8);
    EXPECT_EQ(nodes("#########.......", {"-N2,4,8"}).json()["counts"]["nodes"], 4);
    EXPECT_EQ(nodes("................", {"-N1-15:4"}).json()["counts"]["nodes"], 13);
    EXPECT_EQ(nodes("###############.", {"-N2,4,8"}).json()["numbers"]["wanted_nodes"], 2);
    EXPECT_EQ(nodes("................", {"-N2,4,8", "-n1"})
                  .json()["remarks"]
                  .dump()
                  .find("not considered: --nodes=2,4,8; the answer may be too hopeful"),
              2U);
    EXPECT_EQ(nodes("................", {"-N2,4,8", "-pdebug"}).status, 1);  // at most 4
}

/// Where a partition is closed, sbatch refuses the job; in others of a list it starts.
TEST_F(SbatchJobTest, ClosedPartitionsTakeNoJobs) {
    SnapshotText text;
    text.partitions +=
        R"({"name":"old","nodes":"n[01-16]","up":true,"closed":true},{"name":"off","nodes":"n[01-16]","closed":true},)";
    const auto answer = [&](const char* partitions) {
        return plan(text, {"-N2", "--exclusive", "-p", partitions});
    };
    EXPECT_EQ(answer("old").status, 1);
    EXPECT_EQ(answer("old").json()["reason"],
              "the request can never fit: partition old is drained: it takes no new jobs");
    EXPECT_EQ(answer("off").json()["reason"],
              "the request can never fit: partition off is inactive: it takes no new jobs, and "
              "nothing starts in it");
    EXPECT_EQ(answer("off").json()["numbers"]["permanent"], true);
    EXPECT_EQ(answer("off,main").json()["nodes"], "n[01-02]");
}

TEST_F(SbatchJobTest, MemoryBeyondTheLimitOfThePartition) {
    SnapshotText text;
    text.partitions +=
        R"({"name":"small","nodes":"n[01-16]","up":true,"max_memory_per_node":1000},)";
    EXPECT_EQ(
        plan(text, {"-N2", "--mem=1001", "-psmall"}).json()["reason"],
        "the request can never fit: partition small allows at most 1000 MB of memory per node");
    EXPECT_EQ(plan(text, {"-N2", "--mem=1000", "-psmall"}).status, 0);
}

/// Slurm raises the least of a range: three free nodes were an answer for -N2-8.
TEST_F(SbatchJobTest, ARangeBeginsWithTheLeastThatThePartitionAllows) {
    const auto answer = [&](const char* map, const char* nodes) {
        SnapshotText text(map);
        text.partitions += R"({"name":"large","nodes":"n[01-16]","up":true,"min_nodes":4},)";
        return plan(text, {"-plarge", "--exclusive", nodes});
    };
    EXPECT_EQ(answer("#############...", "-N2-8").status, 1);
    EXPECT_EQ(answer("#############...", "-N2-8").json()["numbers"]["wanted_nodes"], 4);
    EXPECT_EQ(answer("###########.....", "-N2-8").json()["counts"]["nodes"], 5);
    EXPECT_EQ(answer("#############...", "-N2,4,8").status, 1);
    EXPECT_EQ(answer("###########.....", "-N2,4,8").json()["counts"]["nodes"], 4);
    EXPECT_NE(answer("................", "-N2").out.find("allows no jobs of fewer than 4 nodes"),
              std::string::npos);
}

/// Of several partitions slurmctld raises it to the smallest MinNodes only: the partition with a
/// larger one does not take the job, and was an answer.
TEST_F(SbatchJobTest, OfSeveralPartitionsTheSmallestMinNodesCounts) {
    SnapshotText text("####............");
    text.partitions +=
        R"({"name":"few","nodes":"n[01-04]","up":true,"min_nodes":2},{"name":"large","nodes":"n[01-16]","up":true,"min_nodes":4},)";
    const auto answer = [&](const char* partitions, const char* nodes) {
        return plan(text, {"--exclusive", "-p", partitions, nodes});
    };
    EXPECT_EQ(answer("large", "-N1-8").json()["counts"]["nodes"], 8);
    EXPECT_EQ(answer("few,large", "-N4-8").json()["counts"]["nodes"], 8);
    EXPECT_EQ(answer("few,large", "-N1-8").status, 1);
    EXPECT_NE(answer("large,few", "-N3-8").out.find("needs 3 nodes"), std::string::npos);
    EXPECT_EQ(answer("debug,large", "-N1-8").json()["reason"],
              "the request can never fit: partition debug allows at most 4 nodes per job, and the "
              "request allows up to 8; ask for --nodes=1-4");
    EXPECT_EQ(answer("large,debug", "-N1-8").json()["reason"],
              "the request can never fit: partition large allows no jobs of fewer than 4 nodes; of "
              "several partitions, its MinNodes does not raise the request's 1: ask for 4 or more");
}

/// The answer did not say whether the job would wait, and with ALL it was a start.
TEST_F(SbatchJobTest, WhatSbatchRefusesAndWhatItLetsWait) {
    const auto answer = [&](const char* enforced, std::vector<std::string> more) {
        SnapshotText text;
        text.partitions += R"({"name":"large","nodes":"n[01-16]","up":true,"min_nodes":4},)";
        if (*enforced != '\0')
            text.config.insert(1, fmt::format(R"("enforce_part_limits":"{}",)", enforced));
        more.insert(more.begin(), {"--exclusive", "-t30"});
        return plan(text, more);
    };
    const auto has = [](const Result& result, const char* words) {
        return result.status == 1 && result.out.find(words) != std::string::npos;
    };
    constexpr const char* waits = "sbatch takes such a job, and it waits (EnforcePartLimits=NO)";
    EXPECT_TRUE(has(answer("NO", {"-pdebug", "-N5"}), waits));
    EXPECT_TRUE(has(answer("ANY", {"-pdebug", "-N5"}), "sbatch refuses such a job (EnforcePart"));
    EXPECT_FALSE(has(answer("", {"-pdebug", "-N5"}), "EnforcePartLimits"));
    EXPECT_FALSE(has(answer("NO", {"-pdebug", "-N5", "-qhigh"}), "EnforcePartLimits"));
    EXPECT_EQ(answer("NO", {"-pdebug,main", "-N5"}).status, 0);
    EXPECT_EQ(answer("ANY", {"-pdebug,main", "-N5"}).status, 0);
    EXPECT_EQ(answer("NO", {"-plarge", "-N2-8"}).status, 0);
    EXPECT_TRUE(has(answer("ANY", {"-plarge", "-N2-8"}), "also as the least of a range"));
    EXPECT_TRUE(has(answer("ALL", {"-pmain,debug", "-N5"}), "(EnforcePartLimits=ALL)"));
}

/// A QOS with PartitionMaxNodes, PartitionMinNodes or PartitionTimeLimit is above the partition.
TEST_F(SbatchJobTest, AQosMayOverrideLimitsOfThePartition) {
    const auto answer = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"-pdebug", "--exclusive", "-N5"});
        return plan(SnapshotText(), more).json();
    };
    EXPECT_EQ(answer({"-q", "high"})["reason"],
              "the request does not fit: partition debug allows at most 4 nodes per job; QOS high "
              "may override that");
    EXPECT_EQ(answer({"-q", "high"})["numbers"]["permanent"], false);
    EXPECT_EQ(answer({})["numbers"]["permanent"], true);
}

/// Until 21:51:21 these nodes are busy.
SnapshotText busy_for_an_hour(const std::string& row, const std::string& nodes) {
    SnapshotText text(row);
    JobLine job;
    job.state = "RUNNING";
    job.nodes = nodes;
    job.end = "2026-11-22T21:51:21";
    text.jobs = job_line(job);
    return text;
}

/// The options were named as not considered, and the nodes were those of now.
TEST_F(SbatchJobTest, StartsNotBeforeItsBegin) {
    const auto answer = [&](const char* begin) {
        return plan(busy_for_an_hour("####............", "n[01-04]"),
                    {"-N16", "--exclusive", "-t60", "-b", begin});
    };
    EXPECT_EQ(answer("now").status, 1);
    EXPECT_EQ(answer("now").json()["start"], "2026-11-22 21:51");
    EXPECT_EQ(answer("21:30").status, 1);
    EXPECT_EQ(answer("21:30").json()["start"], "2026-11-22 21:51");
    EXPECT_EQ(answer("now+2hours").status, 0);
    EXPECT_EQ(answer("now+2hours").json()["start"], "2026-11-22 22:51");
    EXPECT_EQ(answer("now+2hours").json()["nodes"], "n[01-16]");
    EXPECT_EQ(answer("2026-11-22T20:00").json()["start"], "2026-11-22 21:51");  // as now
    EXPECT_NE(answer("teatime").out.find("not considered: --begin=teatime"), std::string::npos);
}

TEST_F(SbatchJobTest, HasToEndBeforeItsDeadline) {
    const auto answer = [&](const char* deadline, const char* nodes, const char* limit) {
        return plan(busy_for_an_hour("####............", "n[01-04]"),
                    {nodes, "--exclusive", "--deadline", deadline, limit});
    };
    const auto is_late = [](const Result& result) {
        return result.out.find("it cannot end before its deadline then") != std::string::npos;
    };
    EXPECT_FALSE(is_late(answer("22:51:21", "-N16", "-t60")));
    EXPECT_TRUE(is_late(answer("22:51:20", "-N16", "-t60")));
    EXPECT_FALSE(is_late(answer("22:51:20", "-N16", "--time-min=30")));
    EXPECT_EQ(answer("21:51:21", "-N2", "-t60").status, 0);
    EXPECT_EQ(answer("21:51:20", "-N2", "-t60").json()["reason"],
              "the request can never fit: it cannot end before its deadline at 21:51");
    EXPECT_EQ(answer("20:53", "-N2", "-Jname").status, 0);  // without a limit, Slurm takes a minute
    EXPECT_EQ(plan(busy_for_an_hour("####............", "n[01-04]"),
                   {"-N2", "--exclusive", "-t60", "--deadline=now+90minutes", "--begin=now+1hour"})
                  .status,
              1);
}

TEST_F(SbatchJobTest, MayRunAsShortAsItsTimeMin) {
    SnapshotText text;
    text.reservations =
        reservation_line("soon", "n[01-16]", "2026-11-22T21:21:21", "2026-11-23T20:00:00");
    const auto answer = [&](const char* least) {
        return plan(text, {"-N2", "--exclusive", "-t60", least});
    };
    EXPECT_EQ(answer("-Jname").status, 1);
    EXPECT_EQ(answer("--time-min=31").status, 1);
    EXPECT_EQ(answer("--time-min=30").status, 0);
    EXPECT_EQ(answer("--time-min=61").status, 2);
    EXPECT_EQ(plan(text, {"-N2", "-pdebug", "-t90", "--time-min=30"}).status, 0);  // at most 60
}

/// Of several reservations the first in which it fits; their list was an unknown reservation.
TEST_F(SbatchJobTest, ReservationsMayBeSeveral) {
    SnapshotText text("#...............");
    text.reservations =
        reservation_line("one", "n[01-02]", "2026-11-22T20:00:00", "2026-11-23T20:00:00") +
        reservation_line("two", "n[05-06]", "2026-11-22T20:00:00", "2026-11-23T20:00:00");
    EXPECT_EQ(plan(text, {"-N2", "--exclusive", "--reservation=one,two"}).json()["nodes"],
              "n[05-06]");
    EXPECT_EQ(plan(text, {"-N3", "--exclusive", "--reservation=one,two"}).status, 1);
    EXPECT_NE(plan(text, {"-N1", "--reservation=one,none"}).err.find("\"none\" is unknown"),
              std::string::npos);
}

TEST_F(SbatchJobTest, TypesOfGpusCount) {
    SnapshotText text("");
    for (int node = 1; node <= 16; ++node) {
        std::string line = node_line(fmt::format("n{:02}", node), "IDLE+CLOUD");
        line.replace(line.find("gpu:4"), 5, node <= 8 ? "gpu:a:4" : "gpu:b:4");
        text.nodes += line;
    }
    EXPECT_EQ(plan(text, {"-N2", "--exclusive", "--gres=gpu:b:4"}).json()["nodes"], "n[09-10]");
    EXPECT_EQ(plan(text, {"-N2", "--exclusive", "--gres=gpu:c:4"}).status, 1);
}

TEST_F(SbatchJobTest, NamesWhatItDoesNotConsider) {
    EXPECT_EQ(record({"-N1", "--exclusive", "-J", "x", "-o", "y"}).not_modelled,
              std::vector<std::string>{});
    EXPECT_EQ(record({"-N1", "--exclusive", "--switches=1", "-q", "high", "-H"}).not_modelled,
              (std::vector<std::string>{"--hold", "--qos=high", "--switches=1"}));
    EXPECT_EQ(record({"-N1"}).not_modelled,
              (std::vector<std::string>{"the memory of a job without --mem"}));
}

TEST_F(SbatchJobTest, PlansTheLine) {
    const auto answer = plan(SnapshotText("##..x..........."),
                             {"-N8", "--segment=4", "--exclusive", "-L", "matlab"})
                            .json();
    EXPECT_EQ(answer["nodes"], "n[09-16]");
    EXPECT_NE(answer["remarks"].dump().find("not considered: --licenses=matlab"), std::string::npos)
        << answer;
    EXPECT_EQ(plan(SnapshotText(), {"-N1", "-p", "none"}).status, 2);
    EXPECT_EQ(run_command({"plan", "--nodes=3", "--", "sbatch", "-N2"}).status, 2);
}

/// Of several partitions the first in which it fits; a job that does not fit has a time of start.
TEST_F(SbatchJobTest, AnswersForPartitionsAndTimes) {
    const SnapshotText text = busy_for_an_hour("########........", "n[01-08]");
    EXPECT_EQ(plan(text, {"-N2", "-p", "debug,main", "--exclusive", "-t10"}).json()["nodes"],
              "n[09-10]");
    const auto later = plan(text, {"-N2", "-p", "debug", "--exclusive", "-t10"});
    EXPECT_EQ(later.status, 1);
    EXPECT_EQ(later.json()["start"], "2026-11-22 21:51");
}

}  // namespace
}  // namespace nvl72block::cli
