// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/replay/replay_command.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

class ReplayCommand : public testing::Test {
  protected:
    ReplayCommand() {
        std::string text = "timestamp,duration,num_gpus\n";
        for (int i = 0; i < 60; ++i)
            text += std::to_string(i * 100) + "," + std::to_string(50 + i * 17 % 900) + "," +
                    std::to_string(1 << (i % 8)) + "\n";
        trace_ = folder_.file("trace.csv", text);
    }

    [[nodiscard]] Result replay(std::vector<std::string> options) const {
        options.insert(options.begin(), {"replay", "--trace", trace_, "--racks", "4"});
        return run_command(options);
    }

    Folder folder_;
    std::string trace_;
};

TEST_F(ReplayCommand, ReportsEachPolicyTheSameEveryTime) {
    const Result result = replay({"--json", "--jobs=150"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");  // no bar where no terminal is
    const nlohmann::json report = result.json();
    EXPECT_EQ(report["jobs"], 150);
    ASSERT_EQ(report["policies"].size(), 6U);
    for (const nlohmann::json& policy : report["policies"]) {
        EXPECT_GT(policy["occupancy"].get<double>(), 0);
        EXPECT_LE(policy["occupancy"].get<double>(), 1);
        if (policy["name"] != "first-fit") {
            EXPECT_EQ(policy["segments_whole"], 1.0);
        }
        EXPECT_EQ(policy["refused"], 0);
    }
    EXPECT_EQ(replay({"--json", "--jobs=150"}).out, result.out);
    EXPECT_NE(replay({"--json", "--jobs=150", "--seed=2"}).out, result.out);
}

/// README's command named a log that is not part of the project, so it failed in a fresh clone.
TEST_F(ReplayCommand, NeedsNoLog) {
    const Result result =
        run_command({"replay", "--racks=4", "--jobs=40", "--policy=pack,stock-24.11", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.json()["workload"], "llm,services:0.1");
    EXPECT_GT(result.json()["policies"][0]["occupancy"].get<double>(), 0.1);
}

TEST_F(ReplayCommand, SimulatesAWarmPartAndMeasuresTheRest) {
    const Result result = replay({"--workload=llm,services:0.1", "--jobs=30", "--warm=40",
                                  "--policy=pack", "--json", "--limits=exact"});
    ASSERT_EQ(result.status, 0) << result.err;
    const nlohmann::json report = result.json();
    EXPECT_EQ(report["workload"], trace_ + ",llm,services:0.1");
    EXPECT_GE(report["warm_jobs"].get<int>(), 20);
    EXPECT_EQ(report["limits"], "exact");
    EXPECT_EQ(report["time_scale"].size(), 2U);
}

TEST_F(ReplayCommand, ReadsJobsOfSacctAndNotesWhatIsLeftOut) {
    const std::string file = folder_.file("jobs.txt",
                                          "Submit|Start|End|Timelimit|NNodes|ReqTRES\n"
                                          "100|150|950|01:00:00|16|\n"
                                          "120|None|130|01:00:00|16|\n");
    const Result result =
        run_command({"replay", "--trace", file, "--racks=4", "--load=0", "--policy=pack"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "note: " + file + ": 1 job that never ran left out\n");
    EXPECT_NE(result.out.find("1 job in"), std::string::npos) << result.out;
}

TEST_F(ReplayCommand, WritesItsJobsAsALogThatGivesTheSame) {
    const std::string log = folder_.path() + "/log";
    const std::vector<std::string> options = {"replay",   "--racks", "4",
                                              "--policy", "pack",    "--json"};
    std::vector<std::string> first = options, again = options;
    first.insert(first.end(),
                 {"--workload", "llm,services:0.1", "--jobs", "100", "--write-log", log});
    again.insert(again.end(), {"--trace", log, "--load", "0", "--segment-rule", "plain"});
    const Result wrote = run_command(first), read = run_command(again);
    ASSERT_EQ(wrote.status, 0) << wrote.err;
    ASSERT_EQ(read.status, 0) << read.err;
    EXPECT_EQ(read.json()["jobs"], wrote.json()["jobs"]);
    EXPECT_EQ(read.json()["policies"][0]["wait_mean_seconds"],
              wrote.json()["policies"][0]["wait_mean_seconds"]);
    EXPECT_EQ(read.json()["policies"][0]["makespan_seconds"],
              wrote.json()["policies"][0]["makespan_seconds"]);
}

TEST_F(ReplayCommand, BeginsWithTheHistoryOfAFile) {
    const std::string file =
        folder_.file("history", "nvl72block demand 1\n1700000000\n16 1e9\n4 1e8\nend\n");
    const Result result = replay({"--policy", "demand", "--history", file, "--json"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out, replay({"--policy", "demand", "--json"}).out);
    EXPECT_EQ(replay({"--history", file, "--demand", "off"}).err,
              "--history: has no effect with --demand off; leave out one of them\n");
    const std::string bad = folder_.file("bad", "nvl72block demand 1\n");
    EXPECT_EQ(replay({"--history", bad}).err,
              bad +
                  ": line 2: not a time in seconds from 0 to 253402300799; pass a file that "
                  "nvl72block learn wrote\n");
    EXPECT_EQ(replay({"--history", folder_.path() + "/none"}).err,
              "--history: \"" + folder_.path() +
                  "/none\" cannot be read: No such file or directory; pass a file that nvl72block "
                  "learn wrote\n");
}

TEST_F(ReplayCommand, AveragesRuns) {
    const std::vector<std::string> options = {"--json", "--jobs=150", "--policy=pack"};
    const auto wait = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all = options;
        all.insert(all.end(), more.begin(), more.end());
        return replay(all).json()["policies"][0]["wait_large_mean_seconds"].get<double>();
    };
    EXPECT_NEAR(wait({"--runs=2", "--seed=5"}), (wait({"--seed=5"}) + wait({"--seed=6"})) / 2,
                1e-6);
}

TEST_F(ReplayCommand, PrintsATableAndDrawsCharts) {
    const std::string svg = folder_.path() + "/replay.svg";
    const Result result = replay({"--policy=pack,first-fit", "--svg", svg});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("\npack "), std::string::npos);
    EXPECT_NE(result.out.find("\nfirst-fit "), std::string::npos);
    EXPECT_EQ(result.out.find("\ncompact "), std::string::npos);
    std::ifstream stream(svg);
    std::string first;
    std::getline(stream, first);
    EXPECT_EQ(first.rfind("<svg ", 0), 0U);
}

TEST_F(ReplayCommand, ShowsItsProgressOnATerminal) {
    std::ostringstream out, err;
    Console console{out, err};
    console.err_terminal = true;
    EXPECT_EQ(run({"replay", "--trace", trace_, "--racks=4", "--policy=pack"}, console), 0);
    EXPECT_NE(err.str().find("100%"), std::string::npos);
    EXPECT_EQ(err.str().substr(err.str().size() - 4), "\r\x1b[K");
}

/// The chart was written first: where it could not be, all that had been simulated was lost.
TEST_F(ReplayCommand, AChartThatCannotBeWrittenCostsNoReport) {
    const Result result = replay({"--policy=pack", "--svg", "/dev/full"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.out.find("\npack "), std::string::npos) << result.out;
    EXPECT_EQ(result.err,
              "--svg: \"/dev/full\" cannot be written: No space left on device; choose a file in a "
              "directory that can be written\n");
}

TEST_F(ReplayCommand, AChartThatCannotBeWrittenIsNamedBeforeAnythingIsSimulated) {
    const Result result = replay({"--policy=pack", "--svg", folder_.path() + "/none/x.svg"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "--svg: \"" + folder_.path() +
                              "/none/x.svg\" cannot be written: No such file or directory; choose "
                              "a file in a directory that can be written\n");
}

/// It took all memory: rounds of jobs of a second each, to fill a tenth of the nodes.
TEST_F(ReplayCommand, ALogThatBringsTooLittleIsNamed) {
    const std::string tiny = folder_.file("tiny.csv",
                                          "timestamp,duration,num_gpus\n"
                                          "0,1,1\n1,1,1\n2,1,1\n");
    const std::string slow = folder_.file("slow.csv",
                                          "timestamp,duration,num_gpus\n"
                                          "0,1000000000,64\n1000000000,1000000000,64\n");
    const Result result = run_command(
        {"replay", "--trace", slow + "," + tiny, "--racks=4", "--load=0.8", "--policy=pack"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              "--trace: a log or workload after the first would have more than 10000000 jobs at "
              "this load; give it a smaller share, or leave it out\n");
}

TEST_F(ReplayCommand, ALogIsReadOnceForAllLoads) {
    const std::string file = folder_.file("jobs.txt",
                                          "Submit|Start|End|NNodes\n"
                                          "100|150|950|16\n110|150|950|16\n120|None|130|16\n");
    const Result result =
        run_command({"replay", "--trace", file, "--racks=4", "--load=0.5,0.8", "--policy=pack"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "note: " + file + ": 1 job that never ran left out\n");
}

TEST_F(ReplayCommand, EndsWithTwoForBadInput) {
    const std::vector<std::vector<std::string>> inputs = {
        {"--policy=best"},
        {"--policy="},
        {"--load=-1"},
        {"--load=nan"},
        {"--load=1e9"},
        {"--segment-rule=x"},
        {"--jobs=0"},
        {"--jobs=99999999"},
        {"--nodes-per-rack=0"},
        {"--nodes-per-rack=4294967295"},
        {"--block-sizes=18,37"},
        {"--block-sizes=,"},
        {"--seed=x"},
        {"--unavailable=100"},
        {"--reservations=0"},
        {"--runs=0"},
        {"--runs=9999"},
        {"--svg", folder_.path()},
        {"--limits=none"},
        {"--load=0.8,x"},
        {"--throughput=moe"},
        {"--throughput=pipeline:0.5"},
        {"--torn=x"},
        {"--torn=0.95"},
        {"--torn=0.1", "--throughput=pipeline"},
        {"--throughput=pipeline", "--fabric=h100"},
        {"--warm=95"},
        {"--warm=x"},
        {"--workload=kalos"},
        {"--workload=services"},
        {"--workload=llm:0"},
        {"--workload=llm:2"},
        {"--workload=llm:x"},
        {"--workload=llm:0.9"},  // nothing is left for the log
        {"--workload=llm,"},
    };
    for (const std::vector<std::string>& options : inputs) {
        const Result result = replay(options);
        EXPECT_EQ(result.status, 2) << testing::PrintToString(options);
        EXPECT_EQ(result.out, "") << testing::PrintToString(options);
        EXPECT_NE(result.err, "") << testing::PrintToString(options);
    }
    for (const std::string& trace : {folder_.path(), folder_.path() + "/none", std::string("kalos"),
                                     folder_.file("odd.csv", "a,b\n1,2\n")})
        EXPECT_EQ(run_command({"replay", "--trace", trace, "--racks=4"}).status, 2) << trace;
    EXPECT_EQ(run_command({"replay", "--workload=services:0.1", "--racks=4"}).status, 2);
}

}  // namespace
}  // namespace nvl72block::cli
