// SPDX-License-Identifier: GPL-2.0-or-later
#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

class CapacityTest : public testing::Test {
  protected:
    Result capacity(const SnapshotText& text, std::vector<std::string> options = {}) {
        options.insert(options.begin(), {"capacity", "--state", text.write(folder_)});
        return run_command(options);
    }

    Folder folder_;
};

TEST_F(CapacityTest, CountsSegmentsAndBlocks) {
    const Result result = capacity(SnapshotText("##..#...x......."));
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(
        result.out,
        "cluster eight, Slurm 26.05.3, 2026-11-22 20:51\n"
        "partition main, jobs of whole nodes without a time limit\n"
        "16 nodes: 12 free, 3 busy, 1 out of service, 0 reserved\n"
        "\n"
        "segments that one job could get now:\n"
        " segment    in all     in one of 4     in one of 8    in one of 16\n"
        "       1        12               4               7              12\n"
        "       2         5               2               3               5\n"
        "       4         1               1               1               1\n"
        "       8         0               0               0               0\n"
        "      16         0               0               0               0\n"
        "largest job without segments: 12 nodes\n"
        "whole blocks: 1 of 4 of size 4, 0 of 2 of size 8, 0 of 1 of size 16\n"
        "fragmentation: 48 = 4 nodes not free + 3 broken blocks of 4 + 2 broken blocks of 8 "
        "+ 1 broken block of 16; 48 as Slurm's topology/block computes it\n"
        "\njobs of the partition: none\n"
        "planning size: 4 nodes; plugin: topology/block; the numbers are those of nvl72block with "
        "Nvl72Policy=demand\n"
        "\nrepair first, by what each return makes possible:\n"
        "  n09 in r3: 1 more segment of 4 now; 1 whole base block now\n");
}

TEST_F(CapacityTest, AnswersForTheSizesAndThePartitionAsked) {
    const Result result = capacity(SnapshotText("#..............."),
                                   {"--segment", "3", "--segment", "8", "-pdebug", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto json = result.json();
    EXPECT_EQ(json["partition"], "debug");
    EXPECT_EQ(json["free"]["nodes"], "n[02-04]");
    EXPECT_EQ(json["duration"], 3600);
    EXPECT_EQ(json["segments"][0]["size"], 3);
    EXPECT_EQ(json["segments"][0]["count"], 1);
    EXPECT_EQ(json["segments"][1]["count"], 0);
    EXPECT_EQ(json["largest_job"], 3);
}

TEST_F(CapacityTest, SaysWhatThePartitionDoesNotAllow) {
    SnapshotText text;
    text.partitions +=
        R"({"name":"old","nodes":"n[01-16]","up":true,"closed":true},{"name":"small","nodes":"n[01-16]","up":true,"max_cpus_per_node":100},{"name":"low","nodes":"n[01-16]","up":true,"max_memory_per_node":1000},)";
    EXPECT_NE(
        capacity(text, {"-pold"}).out.find("\npartition old is drained: it takes no new jobs\n"),
        std::string::npos);
    EXPECT_EQ(capacity(text, {"-psmall", "--json"}).json()["largest_job"], 0);
    EXPECT_NE(capacity(text, {"-plow"})
                  .out.find("\nnot considered: MaxMemPerNode=1000 of partition "
                            "low; the answer may be too hopeful\n"),
              std::string::npos);
    EXPECT_EQ(capacity(text, {"-plow", "--json"}).json()["remarks"],
              nlohmann::json({"not considered: MaxMemPerNode=1000 of partition low; the answer may "
                              "be too hopeful"}));
    EXPECT_EQ(capacity(text, {"-pold", "--json"}).json()["remarks"],
              nlohmann::json({"partition old is drained: it takes no new jobs"}));
    EXPECT_EQ(capacity(text, {"--json"}).json()["remarks"].size(), 0U);
}

TEST_F(CapacityTest, AReservationCountsForJobsThatReachIt) {
    SnapshotText text;
    text.reservations =
        reservation_line("soon", "n[09-12]", "2026-11-22T21:51:21", "2026-11-22T22:51:21");
    EXPECT_EQ(capacity(text, {"--json"}).json()["free"]["count"], 12);
    EXPECT_EQ(capacity(text, {"--json", "-t30"}).json()["free"]["count"], 16);
    EXPECT_EQ(capacity(text, {"--time", "soon"}).status, 2);
}

JobLine job(unsigned id, const std::string& state, const std::string& count,
            const std::string& nodes, const nlohmann::json& more) {
    JobLine line;
    line.id = id;
    line.state = state;
    line.count = count;
    line.nodes = nodes;
    line.more = more;
    return line;
}

/// Two trays of which one lets a job start, one makes a rack whole when its job has ended.
TEST_F(CapacityTest, TellsWhichNodeToRepairFirst) {
    SnapshotText text("##.x...x####.###");
    text.jobs = job_line(job(2, "PENDING", "6-6", "", {{"segment_size", 3}})) +
                job_line(job(3, "PENDING", "9-9", "", {}));
    const Result result = capacity(text);
    EXPECT_NE(result.out.find("\nrepair first, by what each return makes possible:\n"
                              "  n08 in r2: 1 more segment of 4 now; 1 whole base block now\n"
                              "  n04 in r1: 1 more segment of 4 when its jobs have ended; "
                              "1 whole base block when its jobs have ended\n"),
              std::string::npos)
        << result.out;
    text.jobs = job_line(job(2, "PENDING", "4-4", "", {{"segment_size", 2}}));
    text.nodes = SnapshotText("##.x.##x####.###").nodes;
    const auto json = capacity(text, {"--json"}).json();
    EXPECT_EQ(json["repairs"][0]["nodes"], "n[04,08]");
    EXPECT_EQ(json["repairs"][0]["jobs"], nlohmann::json({"2"}));
}

/// No repair starts a job that a limit keeps; it was told to start.
TEST_F(CapacityTest, AJobThatALimitKeepsStartsAfterNoRepair) {
    SnapshotText text("##.x.##x####.###");
    JobLine limited = job(2, "PENDING", "4-4", "", {{"segment_size", 2}});
    limited.reason = "QOSMaxJobsPerUserLimit";
    text.jobs = job_line(limited);
    const auto repairs = capacity(text, {"--json"}).json()["repairs"];
    EXPECT_GT(repairs.size(), 0U);
    for (const auto& repair : repairs) EXPECT_EQ(repair["jobs"].size(), 0U) << repair;
}

/// A rack with more nodes than planned was told to become whole by a node that it can do without,
/// and one with fewer, which is never whole, by its last one.
TEST_F(CapacityTest, ARepairMakesABlockWholeByItsPlannedNodes) {
    const auto repairs_with = [&](const std::string& sizes) {
        SnapshotText text("x...............");
        text.blocks = R"({"name":"r1","nodes":"n[01-04]","size":)" + sizes +
                      R"(},{"name":"r2","index":1,"nodes":"n[05-16]","size":)" + sizes + "},";
        text.jobs = job_line(job(2, "PENDING", "2-2", "", {}));
        return capacity(text, {"--json"}).json()["repairs"];
    };
    for (const std::string sizes : {"3", "5"}) {
        const auto repairs = repairs_with(sizes);
        ASSERT_EQ(repairs.size(), 1U) << sizes;
        EXPECT_EQ(repairs[0]["nodes"], "n01");
        EXPECT_EQ(repairs[0]["segments"][0]["now"], 1) << "of two nodes";
        EXPECT_EQ(repairs[0]["whole_now"], 0) << sizes;
        EXPECT_EQ(repairs[0]["whole_later"], 0) << sizes;
    }
    EXPECT_EQ(repairs_with("4")[0]["whole_now"], 1);
}

/// A tray whose job still runs comes back for nobody now.
TEST_F(CapacityTest, ANodeInUseIsNotToBeRepaired) {
    SnapshotText text("x...............");
    text.nodes = node_line("n01", "ALLOCATED+CLOUD+DRAIN", 144) +
                 text.nodes.substr(text.nodes.find(R"({"name":"n02")"));
    EXPECT_EQ(capacity(text, {"--json"}).json()["repairs"].size(), 0U);
}

/// What waits and runs now, by the nodes; there is no learned demand.
TEST_F(CapacityTest, TellsWhatTheJobsAskFor) {
    SnapshotText text("####............");
    JobLine array = job(3, "PENDING", "2-2", "", {{"segment_size", 2}});
    array.more["array_id"] = 3;
    array.more["array_tasks"] = "1-3%2";
    JobLine elsewhere = job(4, "PENDING", "4-4", "", {});
    elsewhere.partition = "debug";
    JobLine either = job(5, "PENDING", "1-1", "", {});
    either.partition = "debug,main";
    text.jobs = job_line(job(1, "RUNNING", "4", "n[01-04]", {{"segment_size", 2}})) +
                job_line(job(2, "PENDING", "9-9", "", {})) + job_line(array) + job_line(elsewhere) +
                job_line(either);
    const Result result = capacity(text);
    EXPECT_NE(
        result.out.find("jobs of the partition: 16 nodes wanted by pending ones, 4 in use:\n"
                        "   50 %  segments of 2: 3 jobs waiting, 1 running\n"
                        "   45 %  jobs without segments, of 9 nodes: 1 job waiting, 0 running\n"
                        "    5 %  jobs without segments, of 1 node: 1 job waiting, 0 running\n"),
        std::string::npos)
        << result.out;
    const auto json = capacity(text, {"--json"}).json();
    EXPECT_EQ(json["demand"]["pending_nodes"], 16);
    EXPECT_EQ(json["demand"]["shares"][0]["size"], 2);
    EXPECT_EQ(json["demand"]["shares"][0]["running_nodes"], 4);
    EXPECT_EQ(json["planning"]["policy"], "demand");
    EXPECT_EQ(json["planning"]["block_size"], 4);
}

TEST_F(CapacityTest, SaysThatSlurm2411ShowsNoSegments) {
    SnapshotText text;
    text.config = config_text("24.11.5");
    EXPECT_EQ(capacity(text).err, "");
    text.jobs = job_line(job(2, "PENDING", "9-9", "", {}));
    EXPECT_EQ(
        capacity(text).err,
        "note: Slurm 24.11.5 shows no segment sizes; jobs with segments and no sentence count "
        "as jobs without segments\n");
}

TEST_F(CapacityTest, NamesThePolicyInForce) {
    SnapshotText text;
    text.config = config_text("26.05.3", "none", "Nvl72Policy=compact");
    const std::string stock = "topology/block";
    text.config.replace(text.config.find(stock), stock.size(), "topology/nvl72block");
    EXPECT_NE(capacity(text).out.find("planning size: 4 nodes; plugin: topology/nvl72block, "
                                      "Nvl72Policy=compact\n"),
              std::string::npos);
}

}  // namespace
}  // namespace nvl72block::cli
