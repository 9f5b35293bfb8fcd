// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/learn/learn_command.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../command.hpp"
#include "nvl72block/learned_demand.hpp"
#include "text/seconds.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* header = "JobID|Submit|Start|End|NNodes|SegmentSize\n";

class LearnCommand : public testing::Test {
  protected:
    /// A job that started so many days ago.
    [[nodiscard]] std::string line(int id, double days_ago, double days, std::uint32_t nodes,
                                   std::uint32_t segment = 0) const {
        const auto start = now_ - static_cast<std::int64_t>(days_ago * day);
        return fmt::format("{}|{}|{}|{}|{}|{}\n", id, start - 3600, start,
                           start + static_cast<std::int64_t>(days * day), nodes, segment);
    }
    /// Ten days, three quarters in segments of 16.
    [[nodiscard]] std::string log() const {
        return folder_.file("log.txt", header + line(1, 10, 10, 48, 16) + line(2, 5, 5, 32));
    }
    [[nodiscard]] std::string output() const { return folder_.path() + "/history"; }
    [[nodiscard]] static std::string text_of(const std::string& file) {
        std::ifstream stream(file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    const std::int64_t now_ =
        std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    Folder folder_;
};

TEST_F(LearnCommand, TellsTheSizesAndWhatWouldBeKept) {
    const Result result = run_command({"learn", log()});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("2 jobs in 10.0 days, "));
    EXPECT_THAT(result.out, HasSubstr(": 640.0 node-days\n"));
    EXPECT_THAT(result.out, HasSubstr("            16        1        75.0 %   ± 26.5"));
    EXPECT_THAT(result.out, HasSubstr("Nvl72Demand=auto would keep slots of 32:"));
    EXPECT_FALSE(fs::exists(output()));
}

TEST_F(LearnCommand, WritesWhatSlurmctldReads) {
    const Result result = run_command({"learn", log(), "--output", output(), "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.json()["output"], output());
    LearnedDemand learned;
    std::string error;
    EXPECT_TRUE(learned.restore(text_of(output()), now_, error)) << error;
    EXPECT_EQ(to_string(learned.history().demand(now_, {})), result.json()["keeps"]);
    struct stat status {};
    ASSERT_EQ(::stat(output().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0644U);  // root writes it, SlurmUser reads it
}

TEST_F(LearnCommand, OnAClusterTheSizesOfItsBlocksDoNotCountHoweverShortTheHistory) {
    const std::string topology =
        folder_.file("topology.conf",
                     "BlockName=a Nodes=a[01-18]\nBlockName=b Nodes=b[01-18]\nBlockSizes=18,36\n");
    const Result result = run_command({"learn", log(), "--topology", topology});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("In this cluster the history is 14."));
    const std::string wide =
        folder_.file("wide.conf", "BlockName=a Nodes=a[001-400]\nBlockSizes=400\n");
    const Result little = run_command({"learn", log(), "--topology", wide, "--json"});
    ASSERT_EQ(little.status, 0) << little.err;
    EXPECT_EQ(little.json()["nodes_in_cluster"], 400);
    EXPECT_LT(little.json()["days_of_all_nodes"].get<double>(), 3);
    EXPECT_THAT(little.json()["keeps"].get<std::string>(), Not(HasSubstr("400:")));
}

TEST_F(LearnCommand, AJobOfTwoFilesCountsOnce) {
    const std::string another =
        folder_.file("more.txt", header + line(2, 5, 5, 32) + line(3, 2, 2, 8));
    const Result result = run_command({"learn", log(), another, "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.json()["jobs"], 3);
    EXPECT_EQ(result.json()["listed_again"], 1);
    EXPECT_THAT(result.err, HasSubstr("note: 1 job of more than one file counted once"));
}

TEST_F(LearnCommand, AJobThatRanAtTheEndOfAFileEndsWhereTheNextSays) {
    const std::int64_t start = now_ - 9 * day;
    const std::string first = folder_.file(
        "first.txt", header + fmt::format("1|{0}|{0}|Unknown|16|0\n2|{0}|{0}|{1}|4|0\n", start,
                                          start + 2 * day));
    const std::string second =
        folder_.file("second.txt", header + fmt::format("1|{0}|{0}|{1}|16|0\n", start, now_));
    for (const auto& [one, another] : {std::pair(first, second), std::pair(second, first)})
        EXPECT_NEAR(
            run_command({"learn", one, another, "--json"}).json()["node_days"].get<double>(),
            16 * 9 + 4 * 2, 1e-6);
}

TEST_F(LearnCommand, JobsOfTwoFilesHaveToBeToldApart) {
    const std::string one = folder_.file(
        "one", fmt::format("Submit|Start|End|NNodes\n{0}|{0}|{1}|4\n", now_ - 2 * day, now_));
    const Result result = run_command({"learn", one, one});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr("2 files have jobs without JobID, and a job that is in two "
                                      "of them would count twice; add the column JobID"));
}

TEST_F(LearnCommand, ALogOfLessThanADayIsNoHistory) {
    const std::string log = folder_.file("short.txt", header + line(1, 0.5, 0.5, 16));
    const Result result = run_command({"learn", log, "--output", output()});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err, log +
                              ": 1 job in 12.0 hours are no history: less than a day; pass a log "
                              "of a week or more, such as sacct -S now-60days prints\n");
    EXPECT_FALSE(fs::exists(output()));
}

TEST_F(LearnCommand, ALogWithoutJobsIsNamed) {
    const std::string log = folder_.file("none.txt", header);
    const Result result = run_command({"learn", log});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(log + ":1: no job of the log ran"));
    EXPECT_THAT(run_command({"learn", folder_.path() + "/absent"}).err,
                HasSubstr("cannot be read: No such file or directory"));
    EXPECT_THAT(run_command({"learn"}).err, HasSubstr("required"));
}

TEST_F(LearnCommand, AFileThatExistsIsReplacedOnlyOnRequest) {
    const std::string file = folder_.file("history", "before");
    const Result refused = run_command({"learn", log(), "--output", file});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.err, fmt::format("--output: \"{}\" exists already, with 6 bytes; choose "
                                       "another name, or add --replace\n",
                                       file));
    EXPECT_EQ(text_of(file), "before");
    EXPECT_EQ(run_command({"learn", log(), "--output", file, "--replace"}).status, 0);
    EXPECT_THAT(text_of(file), HasSubstr("nvl72block demand 1\n"));
}

// As root in a folder of SlurmUser: what lies there is not followed, nor any device replaced.
TEST_F(LearnCommand, NoLinkIsFollowed) {
    const std::string target = folder_.file("target", "before");
    fs::create_symlink(target, output());
    EXPECT_THAT(run_command({"learn", log(), "--output", output(), "--replace"}).err,
                HasSubstr("exists and is not a regular file"));
    EXPECT_EQ(text_of(target), "before");
}

TEST_F(LearnCommand, AnOldLogIsNamed) {
    const std::string old = folder_.file("old.txt", header + line(1, 50, 10, 48, 16));
    const Result result = run_command({"learn", old, "--output", output()});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.err,
                HasSubstr("note: the log ends 40 days ago: slurmctld will count 0.138"));
    const Result now = run_command({"learn", old, "--ends-now", "--output", output(), "--replace"});
    EXPECT_EQ(now.err, "");
    LearnedDemand learned;
    std::string error;
    ASSERT_TRUE(learned.restore(text_of(output()), now_ + day, error)) << error;
    EXPECT_GE(learned.history().latest(), now_);
}

TEST_F(LearnCommand, WithoutSegmentsInTheLogTheRuleSaysThem) {
    const std::string log = folder_.file(
        "plain.txt",
        fmt::format("Submit|Start|End|NNodes\n{0}|{0}|{1}|64\n", now_ - 9 * day, now_));
    const Result plain = run_command({"learn", log, "--json"});
    EXPECT_THAT(plain.err, HasSubstr("note: the log has no column SegmentSize"));
    EXPECT_EQ(plain.json()["keeps"], "64:1");
    const Result result = run_command({"learn", log, "--segment-rule", "nvidia", "--json"});
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.json()["keeps"], "16:1");
    EXPECT_THAT(run_command({"learn", log, "--segment-rule", "x"}).err, HasSubstr("is not a rule"));
}

TEST_F(LearnCommand, AJobWhoseEndIsLostIsNamed) {
    const std::string log = folder_.file(
        "lost.txt", fmt::format("JobID|Submit|Start|End|NNodes|Timelimit\n1|{0}|{0}|Unknown|8|"
                                "1-00:00:00\n2|{0}|{0}|{1}|4|\n",
                                now_ - 9 * day, now_));
    const Result result = run_command({"learn", log, "--json"});
    EXPECT_THAT(result.err,
                HasSubstr("note: 1 job without an end, and past the time limit for over a day, "
                          "counted as ended at the limit (sacctmgr show runawayjobs)\n"));
    EXPECT_NEAR(result.json()["node_days"].get<double>(), 8 + 4 * 9, 1e-6);
}

TEST_F(LearnCommand, AFileToReplaceHasToBeNamed) {
    EXPECT_THAT(run_command({"learn", log(), "--replace"}).err,
                HasSubstr("--replace requires --output"));
}

}  // namespace
}  // namespace nvl72block::cli
