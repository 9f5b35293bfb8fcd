// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

class WhyTest : public testing::Test {
  protected:
    Result why(const SnapshotText& text, std::vector<std::string> options) {
        options.insert(options.begin(), {"why", "--state", text.write(folder_)});
        return run_command(options);
    }

    Folder folder_;
};

/// Two racks of four are in use until 21:51 and 22:21.
SnapshotText busy_racks(const JobLine& waiting, const std::string& map = "####....####..x.") {
    SnapshotText text(map);
    text.config = config_text("26.05.3", "none", "", "topology/nvl72block");
    JobLine first;
    first.id = 11;
    first.state = "RUNNING";
    first.nodes = "n[01-04]";
    first.count = "4";
    first.end = "2026-11-22T21:51:21";
    JobLine second = first;
    second.id = 12;
    second.nodes = "n[09-12]";
    second.end = "2026-11-22T22:21:21";
    text.jobs = job_line(first) + job_line(second) + job_line(waiting);
    return text;
}

TEST_F(WhyTest, ExplainsAWaitingJob) {
    const Result result = why(busy_racks(waiting_job("8-8", {{"segment_size", 4}})), {"13"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out,
              "job 13 (train) of alice, PENDING in partition main\n"
              "asks for: 8 nodes as 2 segments of 4, for up to 1 h\n"
              "now: 7 of 16 nodes usable, 8 busy, 1 out of service, 0 reserved\n"
              "does not fit, by the records: needs 8 nodes; 7 nodes are usable, 1 drained\n"
              "base blocks with 4 or more usable nodes: 1, 1 of them in one block of 8; with 3: 1; "
              "with none: 2\n"
              "out of service: 1 in r4 (n15)\n"
              "Slurm's reason: Resources: it is first in line, and the nodes that it needs are not "
              "free\n"
              "could start at 21:51 (in 1 h) if no other job comes first, with 1 more base block "
              "that has 4 usable nodes, when these have ended: 11 of alice (4 nodes, 21:51)\n"
              "would start now with any one of these, if nothing else holds it:\n"
              "  --nodes=4\n"
              "  n15 back in service (bad NVLink tray)\n");
}

/// Its tier is higher than that of the jobs in its way. A plugin's sentence counts them already.
TEST_F(WhyTest, NamesJobsThatMayBePreempted) {
    JobLine job = waiting_job("8-8");
    SnapshotText text = busy_racks(job);
    text.config.insert(1, R"("preempt_type":"preempt/partition_prio",)");
    text.partitions =
        R"({"name":"main","nodes":"n[01-16]","up":true,"preemptible":true,"tier":1},{"name":"high","nodes":"n[01-16]","up":true,"tier":2},)";
    const auto answer = [&](const nlohmann::json& more) {
        job.partition = "high";
        job.more = more;
        text.jobs = busy_racks(waiting_job("1-1")).jobs;
        text.jobs = text.jobs.substr(0, text.jobs.rfind("{")) + job_line(job);
        return why(text, {"13"}).out + why(text, {"13", "--json"}).out;
    };
    const std::string named =
        "not counted: the nodes of 2 jobs that may be preempted for it "
        "(PreemptType=preempt/partition_prio); the answer may be too pessimistic";
    const std::string by_records = answer({});
    EXPECT_NE(by_records.find(named + "\n"), std::string::npos) << by_records;
    EXPECT_NE(by_records.find("\"remarks\":[\"" + named + "\"]"), std::string::npos) << by_records;
    const std::string told =
        answer({{"system_comment", "nvl72block: needs 8 nodes; 7 nodes are usable, 1 drained"}});
    EXPECT_EQ(told.find("preempted for it"), std::string::npos) << told;
}

/// Racks that could hold a segment are counted where the whole job would have to lie, too.
TEST_F(WhyTest, CountsRacksWithinTheBlockThatCouldHoldTheJob) {
    SnapshotText text = busy_racks(waiting_job("8-8", {{"segment_size", 3}}), "....####....###.");
    JobLine job = waiting_job("6-6", {{"segment_size", 3}, {"consolidate_segments", true}});
    text.jobs = job_line(job);
    const Result result = why(text, {"13"});
    EXPECT_NE(result.out.find("base blocks with 3 or more usable nodes: 2, 1 of them in one block "
                              "of 8; with 1: 1; with none: 1\n"),
              std::string::npos)
        << result.out;
    const auto json = why(text, {"13", "--json"}).json();
    EXPECT_EQ(json["blocks"]["level_size"], 8);
    EXPECT_EQ(json["blocks"]["enough_in_one_block_of_level"], 1);
}

TEST_F(WhyTest, SuggestsASmallerSegment) {
    const auto json =
        why(busy_racks(waiting_job("6-6", {{"segment_size", 3}}), "####...x####....."),
            {"13", "--json"});
    ASSERT_EQ(json.status, 0) << json.err;
    EXPECT_TRUE(json.json()["fits"]) << json.out;
    const Result result =
        why(busy_racks(waiting_job("6-6", {{"segment_size", 3}}), "####..xx####...."),
            {"13", "--json"});
    EXPECT_FALSE(result.json()["fits"]);
    EXPECT_EQ(result.json()["refusal"]["code"], "segments_do_not_fit");
    EXPECT_EQ(result.json()["suggestions"][0]["option"], "--nodes=3");
    EXPECT_EQ(result.json()["suggestions"][1]["option"], "--segment=2");
}

TEST_F(WhyTest, AShorterTimeEndsBeforeAReservation) {
    SnapshotText text = busy_racks(waiting_job("4-4", {{"segment_size", 4}}), "####....####xxxx");
    text.reservations =
        reservation_line("soon", "n[05-08]", "2026-11-22T21:21:21", "2026-11-22T22:51:21");
    const auto json = why(text, {"13", "--json"}).json();
    EXPECT_FALSE(json["fits"]);
    EXPECT_EQ(json["suggestions"][0]["option"], "--time=25");
}

/// One bisection over all ends gave 22:21: at 21:51 the job fits, and later the reservation is
/// near.
TEST_F(WhyTest, StartsAtTheEarliestTimeAlthoughAReservationFollows) {
    SnapshotText text = busy_racks(waiting_job("12-12", {{"segment_size", 4}}), "####....####....");
    text.reservations =
        reservation_line("later", "n[05-08,13-16]", "2026-11-22T23:01:21", "2026-11-23T22:51:21");
    const auto json = why(text, {"13", "--json"}).json();
    EXPECT_EQ(json["forecast"]["start"], "2026-11-22 21:51");
}

TEST_F(WhyTest, AFittingJobWaitsForSomethingElse) {
    JobLine job = waiting_job("4-4", {});
    job.reason = "Priority";
    JobLine other = job;
    other.id = 14;
    other.priority = 9;
    SnapshotText text = busy_racks(job);
    text.jobs += job_line(other);
    const Result result = why(text, {"13"});
    EXPECT_NE(result.out.find("fits now, by the records: on 4 nodes in 1 base block, but jobs of "
                              "higher priority are ahead of it\n"),
              std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("1 pending job before it: 14 of alice (4 nodes)\n"),
              std::string::npos)
        << result.out;
}

/// The verdict was told as if it were that of the cluster.
TEST_F(WhyTest, SaysWhereAnotherPluginDecides) {
    SnapshotText text = busy_racks(waiting_job("8-8"));
    const auto remarks = [&](const std::string& param, const std::string& plugin) {
        text.config = config_text("26.05.3", "none", param, plugin);
        return why(text, {"13", "--json"}).json()["remarks"].dump() + why(text, {"13"}).out;
    };
    EXPECT_EQ(remarks("", "topology/nvl72block").find("decides, and may"), std::string::npos);
    const std::string words =
        " decides, and may choose other nodes or none; what is calculated here follows the rules "
        "of nvl72block";
    for (const auto& [param, plugin, begin] :
         {std::tuple{"", "topology/block", "TopologyPlugin=topology/block"},
          {"Nvl72Shadow=on", "topology/nvl72block", "topology/block (Nvl72Shadow=on)"}}) {
        const std::string told = remarks(param, plugin);
        EXPECT_NE(told.find("[\"" + (begin + words) + "\"]"), std::string::npos) << told;
        EXPECT_NE(told.find("note: " + (begin + words) + "\n"), std::string::npos) << told;
    }
}

/// A forecast after the deadline was told without a word: Slurm cancels the job before.
TEST_F(WhyTest, AForecastMayBeTooLateForTheDeadline) {
    const auto told = [&](const char* deadline, unsigned time_min) {
        return why(busy_racks(waiting_job("8-8", {{"segment_size", 4},
                                                  {"deadline", time_of(deadline)},
                                                  {"time_min", time_min}})),
                   {"13"})
            .out;
    };
    const std::string too_late = told("2026-11-22T22:51:20", 0);
    EXPECT_NE(
        too_late.find("note: its deadline is 22:51: Slurm cancels it if it has not started by "
                      "21:51\n"),
        std::string::npos)
        << too_late;
    const std::string words = "if no other job comes first, too late for its deadline, with";
    EXPECT_NE(too_late.find(words), std::string::npos) << too_late;
    EXPECT_EQ(told("2026-11-22T22:51:21", 0).find(words), std::string::npos);
    EXPECT_EQ(told("2026-11-22T22:51:20", 1800).find(words), std::string::npos);
    EXPECT_EQ(told("Unknown", 0).find("deadline"), std::string::npos);
}

/// Backfill's own start counts the jobs before it, which the forecast does not.
TEST_F(WhyTest, TellsTheStartThatSlurmctldPlansAndWhoHoldsTheNodes) {
    JobLine job = waiting_job("8-8", {{"segment_size", 4}});
    job.start = "2026-11-22T23:51:21";
    const SnapshotText text = busy_racks(job);
    const Result result = why(text, {"13"});
    EXPECT_NE(result.out.find("slurmctld plans to start it at 23:51 (in 3 h)\n"), std::string::npos)
        << result.out;
    const auto json = why(text, {"13", "--json"}).json();
    EXPECT_EQ(json["planned_start"], "2026-11-22 23:51");
    EXPECT_EQ(json["forecast"]["holders"][0]["job"], "11");
    EXPECT_EQ(json["forecast"]["holders"][0]["nodes"], 4);
    job.start = "2026-11-22T20:41:21";  // of an earlier cycle
    EXPECT_EQ(why(busy_racks(job), {"13", "--json"}).json()["planned_start"], nullptr);
}

/// Of the jobs before it only those that wait for nodes, the first of them first.
TEST_F(WhyTest, NamesTheJobsBeforeIt) {
    JobLine job = waiting_job("8-8", {{"segment_size", 4}});
    SnapshotText text = busy_racks(job);
    JobLine other = job;
    for (const auto& [id, priority] : {std::pair{20U, 5U}, {21U, 9U}, {22U, 0U}, {23U, 1U}}) {
        other.id = id;
        other.priority = priority;
        text.jobs += job_line(other);
    }
    other.id = 24;
    other.priority = 7;
    other.partition = "debug";  // a higher tier, on some of the same nodes
    text.jobs += job_line(other);
    const auto json = why(text, {"13", "--json"}).json();
    std::vector<std::string> before;
    for (const auto& each : json["before"]) before.push_back(each["job"]);
    EXPECT_EQ(before, (std::vector<std::string>{"24", "21", "20"}));
}

TEST_F(WhyTest, FindsTasksAndComponents) {
    JobLine job = waiting_job("4-4", {});
    job.more = {{"array_id", 13}, {"array_tasks", "3-4%2"}};
    const SnapshotText text = busy_racks(job);
    EXPECT_EQ(why(text, {"13_4", "--json"}).json()["job"], "13_[3-4%2]");
    EXPECT_EQ(why(text, {"13_5"}).status, 2);
    EXPECT_EQ(
        why(text, {"99"}).err,
        "job 99: is not in the queue; see squeue; with PrivateData=jobs other users' jobs are "
        "hidden\n");
    EXPECT_EQ(why(text, {"x"}).status, 2);
}

TEST_F(WhyTest, AsksForTheSegmentThatSlurm2411DoesNotShow) {
    SnapshotText text = busy_racks(waiting_job("8-8", {}));
    text.config = config_text("24.11.5");
    EXPECT_NE(why(text, {"13"}).err.find("add --segment N"), std::string::npos);
    const Result result = why(text, {"13", "--segment", "4"});
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("8 nodes as 2 segments of 4"), std::string::npos);
}

/// The plugin's words count before what the records say.
TEST_F(WhyTest, ShowsWhatSlurmctldFound) {
    const std::string told =
        "nvl72block: needs 8 nodes in one block of 8; the best block has 7; "
        "segments of 4; starts with --nodes=4 --ntasks=8 or --segment=2 or without --exclude";
    SnapshotText text = busy_racks(waiting_job("8-8", {{"system_comment", told}}));
    text.config = config_text("24.11.5");
    const Result result = why(text, {"13"});
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("8 nodes as 2 segments of 4"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("does not fit, as slurmctld found: needs 8 nodes in one block of 8; "
                              "the best block has 7; segments of 4\n"),
              std::string::npos)
        << result.out;
    const auto json = why(text, {"13", "--json"}).json();
    EXPECT_EQ(json["refusal"]["source"], "slurmctld");
    ASSERT_EQ(json["suggestions"].size(), 4U) << json["suggestions"];
    EXPECT_EQ(json["suggestions"][0]["option"], "--nodes=4 --ntasks=8");
    EXPECT_EQ(json["suggestions"][1]["option"], "--segment=2");
    EXPECT_EQ(json["suggestions"][2]["option"], "without --exclude");
    EXPECT_EQ(json["suggestions"][3]["repaired"], "n15");
}

/// Since the last test a job may have ended, or slurmctld counts what the records do not show.
TEST_F(WhyTest, ARefusalThatTheRecordsDoNotExplainHasNoTime) {
    SnapshotText text =
        busy_racks(waiting_job("4-4", {{"system_comment", "nvl72block: needs 4 nodes"}}));
    const Result result = why(text, {"13"});
    EXPECT_NE(result.out.find("as slurmctld found: needs 4 nodes\nnote: by the records it fits"),
              std::string::npos)
        << result.out;
    EXPECT_EQ(result.out.find("could start"), std::string::npos) << result.out;
    EXPECT_TRUE(why(text, {"13", "--json"}).json()["forecast"].is_null());
}

/// Beside nodes, something else keeps the job.
TEST_F(WhyTest, AForecastOfAJobThatALimitKeepsSaysSo) {
    JobLine job = waiting_job("8-8", {{"segment_size", 4}});
    const auto forecast = [&](const char* reason) {
        job.reason = reason;
        const std::string text = why(busy_racks(job), {"13"}).out;
        const std::size_t begin = text.find("could start at ");
        return text.substr(begin, text.find(',', begin) - begin);
    };
    EXPECT_EQ(forecast("Resources"), "could start at 21:51 (in 1 h) if no other job comes first");
    EXPECT_EQ(forecast("Priority"), "could start at 21:51 (in 1 h) if no other job comes first");
    for (const char* reason : {"PartitionDown", "JobHeldUser", "QOSMaxJobsPerUserLimit"})
        EXPECT_EQ(
            forecast(reason),
            "could start at 21:51 (in 1 h) if no other job comes first and nothing else holds "
            "it");
}

TEST_F(WhyTest, NamesRequiredNodesAndWhoHasThem) {
    JobLine job = waiting_job("3-3", {});
    job.required = "n[01,05,15]";
    const SnapshotText text = busy_racks(job);
    const Result result = why(text, {"13"});
    EXPECT_NE(result.out.find("requires n01: job 11 of alice until 21:51\n"
                              "requires n15: out of service (bad NVLink tray)\n"),
              std::string::npos)
        << result.out;
    const auto json = why(text, {"13", "--json"}).json();
    EXPECT_EQ(json["required_not_usable"].size(), 2U);
    EXPECT_EQ(json["required_not_usable"][0]["node"], "n01");
}

/// slurmctld does not test a held job: what it was told may be old. The receipt of a run is none.
TEST_F(WhyTest, OldSentencesDoNotCount) {
    JobLine job = waiting_job("4-4", {{"system_comment", "nvl72block: needs 4 nodes"}});
    job.priority = 0;
    EXPECT_TRUE(why(busy_racks(job), {"13", "--json"}).json()["fits"]);
    job =
        waiting_job("4-4", {{"system_comment", "nvl72block: started in 1 base block; waited 2 h"}});
    EXPECT_TRUE(why(busy_racks(job), {"13", "--json"}).json()["fits"]);
}

TEST_F(WhyTest, TellsHowGoodTheNodesOfARunningJobAre) {
    SnapshotText text("##....##........");
    const std::string receipt =
        "started in 2 base blocks (2 x 2 nodes); keeps room for 2 of 3 slots of 4 nodes; waited 2 "
        "h";
    JobLine job =
        waiting_job("4", {{"segment_size", 2}, {"system_comment", "nvl72block: " + receipt}});
    job.state = "RUNNING";
    job.nodes = "n[01-02,07-08]";
    job.end = "2026-11-22T21:51:21";
    text.jobs = job_line(job);
    EXPECT_EQ(why(text, {"13"}).out,
              "job 13 (train) of alice, RUNNING in partition main\n"
              "has: 4 nodes in 2 base blocks; the fewest possible in an empty cluster: 1\n"
              "segments of 2: 2 of 2 whole in a base block\n"
              "  r1: 2 nodes\n"
              "  r2: 2 nodes\n"
              "by slurmctld: " +
                  receipt + "\nends by 21:51\n");
    EXPECT_EQ(why(text, {"13", "--json"}).json()["receipt"], receipt);
}

/// In r1 the job has a node of each of two cliques: one of its two segments crosses them.
TEST_F(WhyTest, TellsWhereARunningJobCrossesCliques) {
    const std::string a = "b78ed242-7b98-426f-b194-b76b8899f4ea.1";
    const std::string b = "b78ed242-7b98-426f-b194-b76b8899f4ea.2";
    SnapshotText text;
    text.nodes.clear();
    for (unsigned node = 1; node <= 16; ++node)
        text.nodes += node_line(fmt::format("n{:02}", node), "IDLE", 0,
                                node == 1   ? a
                                : node <= 8 ? b
                                            : "gpu");
    JobLine job = waiting_job("4", {{"segment_size", 2}});
    job.state = "RUNNING";
    job.nodes = "n[01-02,07,09]";
    text.jobs = job_line(job);
    const Result result = why(text, {"13"});
    EXPECT_NE(result.out.find(
                  "NVLink cliques in use: 2; 1 node without one; segments of 2: 0 of 2 "
                  "whole in a clique\nbase blocks with nodes of the job in several cliques: r1\n"),
              std::string::npos)
        << result.out;
    const auto cliques = why(text, {"13", "--json"}).json()["cliques"];
    EXPECT_EQ(cliques["used"], 2);
    EXPECT_EQ(cliques["nodes_without_clique"], 1);
    EXPECT_EQ(cliques["whole_segments"], 0);
    EXPECT_EQ(cliques["crossed_in_blocks"], nlohmann::json::array({"r1"}));
}

}  // namespace
}  // namespace nvl72block::cli
