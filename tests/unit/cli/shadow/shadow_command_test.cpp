// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "../command.hpp"
#include "nvl72block/shadow_record.hpp"

namespace nvl72block::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using Fields = std::map<std::string, std::string, std::less<>>;

const std::string topology = to_line({"topology",
                                      {{"id", "a"},
                                       {"nodes", "12"},
                                       {"sizes", "4,8"},
                                       {"slurm", "24.11.5"},
                                       {"options", "Nvl72Policy=demand Nvl72Shadow=on"},
                                       {"block.00000", "0-3"},
                                       {"block.00001", "4-7"},
                                       {"block.00002", "8-11"}}});

std::string decision(const Fields& more) {
    Fields fields = {{"topology", "a"},
                     {"t", "1795523363"},
                     {"job", "7"},
                     {"min", "4"},
                     {"max", "4"},
                     {"req", "4"},
                     {"exclusive", "1"},
                     {"whole", "1"},
                     {"candidates", "0-11"},
                     {"idle", "0-11"},
                     {"demand", "4:1"},
                     {"ns.block", "1000"},
                     {"ns.nvl72block", "3000"}};
    for (const auto& [key, value] : more) fields.insert_or_assign(key, value);
    return to_line({"decision", fields});
}

class Shadow : public testing::Test {
  protected:
    Result report(const std::string& records, const std::vector<std::string>& more = {"--json"}) {
        std::vector<std::string> arguments = {"shadow", "--file",
                                              folder_.file("records", topology + records)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_command(arguments);
    }
    Folder folder_;
};

TEST_F(Shadow, RacksAndWholeRacksAreCountedForBoth) {
    const auto json = report(decision({{"block", "2-5"}, {"nvl72block", "0-3"}}) +
                             decision({{"block", "0-3"}, {"nvl72block", "0-3"}}) +
                             decision({{"block", "0-3"}, {"nvl72block", "4-7"}}) +
                             decision({{"block", "0-3"}, {"nvl72block", "2-5"}}))
                          .json();
    EXPECT_EQ(json["started"], 4);
    EXPECT_EQ(json["same_nodes"], 1);
    EXPECT_EQ(json["same_racks"], 1);
    EXPECT_EQ(json["fewer_racks"], 1);
    EXPECT_EQ(json["more_racks"], 1);
    EXPECT_EQ(json["whole_racks_kept"], 2);
    EXPECT_EQ(json["whole_racks_broken"], 2);
    EXPECT_EQ(json["held_by_nvl72block"], 0);
    EXPECT_EQ(json["nvl72block_time"]["median_ns"], 3000);
}

TEST_F(Shadow, HeldJobsHaveTheirWait) {
    const auto held = decision({{"nvl72block", "0-3"}});
    const auto released = [](const char* time, const char* started) {
        return to_line(
            {"released",
             {{"t", time}, {"job", "7"}, {"since", "1795523363"}, {"started", started}}});
    };
    EXPECT_EQ(report(held).json()["still_held"], 1);
    const auto started = report(held + released("1795523400", "1")).json();
    EXPECT_EQ(started["still_held"], 0);
    EXPECT_EQ(started["waited_seconds"], 37);
    const auto cancelled = report(held + released("1795523400", "0")).json();
    EXPECT_EQ(cancelled["still_held"], 0);
    EXPECT_EQ(cancelled["waited_seconds"], 0);
}

TEST_F(Shadow, WhatOursWouldHoldIsPrintedInFull) {
    const std::string text = report(decision({{"block", "0-3"}, {"why", "needs 4 nodes"}}), {}).out;
    EXPECT_THAT(text, ContainsRegex("would hold .must be 0. +1\n"));
    EXPECT_THAT(text, HasSubstr("HELD BY nvl72block"));
    EXPECT_THAT(text, HasSubstr("      why=needs 4 nodes\n"));
    const std::string waits =
        report(decision({{"block", "0-3"}, {"nvl72block", "0-3"}, {"waits", "1"}}), {}).out;
    EXPECT_THAT(waits, ContainsRegex("would wait for --switches +1\n"));
    EXPECT_THAT(waits, Not(HasSubstr("HELD BY nvl72block")));
}

TEST_F(Shadow, DamagedLinesConcernNoOthers) {
    const auto json = report("rubbish\n" + decision({{"block", "0-3"}, {"nvl72block", "0-3"}}) +
                             decision({{"block", "0-12"}}) + decision({{"topology", "b"}}))
                          .json();
    EXPECT_EQ(json["started"], 1);
    EXPECT_EQ(json["damaged"], 3);
}

TEST_F(Shadow, TheLastTallyOfEachSlurmctldCounts) {
    const auto tally = [](const char* since, const char* questions) {
        return to_line({"tally", {{"t", "1"}, {"since", since}, {"questions", questions}}});
    };
    EXPECT_EQ(report(tally("1", "5") + tally("1", "9") + tally("2", "4")).json()["questions"], 13);
}

TEST_F(Shadow, TheFileBeforeIsReadToo) {
    folder_.file("records.1", topology + decision({{"block", "0-3"}}));
    EXPECT_EQ(report("").json()["started"], 1);
}

TEST_F(Shadow, AStartUnlikeTheRequestIsNoHoldOfOurs) {
    // -n5 --gpus=1 --ntasks-per-gpu=1: topology/block of 24.11.5 gave it three GPUs.
    const Fields asked = {{"block", "0-2"},  {"min", "3"},  {"max", "3"},
                          {"min.cpus", "5"}, {"gpus", "1"}, {"exclusive", "0"}};
    const auto unlike = [&](const char* cpus, const char* gpus) {
        Fields fields = asked;
        fields["cpus.block"] = cpus;
        fields["gpus.block"] = gpus;
        return report(decision(fields)).json();
    };
    EXPECT_EQ(unlike("12", "3")["started_unlike_the_request"], 1);
    EXPECT_EQ(unlike("12", "3")["held_by_nvl72block"], 0);
    EXPECT_EQ(unlike("4", "1")["started_unlike_the_request"], 1);
    EXPECT_EQ(unlike("5", "0")["started_unlike_the_request"], 1);
    EXPECT_EQ(unlike("5", "1")["held_by_nvl72block"], 1);
    EXPECT_EQ(unlike("0", "3")["held_by_nvl72block"], 1) << "nothing is known of its start";
    // -N3 --gpus-per-socket=1 with many tasks: topology/block of 26.05.3 gave such jobs more nodes.
    const auto with_nodes = [&](const char* least, const char* most) {
        return report(decision({{"block", "0-2"}, {"min", least}, {"max", most}})).json();
    };
    EXPECT_EQ(with_nodes("2", "2")["started_unlike_the_request"], 1);
    EXPECT_EQ(with_nodes("4", "4")["started_unlike_the_request"], 1);
    EXPECT_EQ(with_nodes("1", "3")["held_by_nvl72block"], 1);
    Fields whole = asked;
    whole.insert_or_assign("exclusive", "1");
    whole.insert({{"cpus.block", "12"}, {"gpus.block", "12"}});
    EXPECT_EQ(report(decision(whole)).json()["held_by_nvl72block"], 1);
    Fields shown = asked;
    shown.insert({{"cpus.block", "12"}, {"gpus.block", "3"}});
    EXPECT_THAT(report(decision(shown), {}).out,
                HasSubstr("it got 3 nodes of 3 to 3, 12 CPUs of 5 and 3 GPUs of 1 (--export 1)"));
}

TEST_F(Shadow, AnExportIsRepeatedByPlan) {
    const std::string text = report(decision({{"block", "2-5"},
                                              {"nvl72block", "0-3"},
                                              {"idle", "0-7"},
                                              {"candidates", "0-7"},
                                              {"exclusive", "2"},
                                              {"weights", "2199023260927:4-7;2199023256063:0-3"}}),
                                    {"--export", "1"})
                                 .out;
    EXPECT_THAT(text, HasSubstr("BlockName=rack001 Nodes=n[00001-00004]\n"));
    EXPECT_THAT(text, HasSubstr("BlockSizes=4,8\n"));
    EXPECT_THAT(text, HasSubstr("Nvl72Shadow=off"));
    EXPECT_THAT(text, HasSubstr("--- weights\nn[00001-00004] 1\nn[00005-00008] 4865\n"
                                "n[00009-00012] 1\n"));
    EXPECT_THAT(
        text,
        HasSubstr("nvl72block plan --topology topology.conf --weights weights --nodes=4 "
                  "--drained=n[00009-00012] --exclusive-topo --policy=demand --demand=4:1\n"));
    EXPECT_THAT(text, HasSubstr("topology/block n[00003-00006]\nnvl72block n[00001-00004]\n"));
}

TEST_F(Shadow, AnExportThatCannotBeMadeSaysWhy) {
    const Result shared = report(decision({{"block", "0-3"}, {"whole", "0"}}), {"--export", "1"});
    EXPECT_EQ(shared.status, 2);
    EXPECT_THAT(shared.err, HasSubstr("shares its nodes"));
    for (const Fields& open : {Fields{{"max", "500000"}}, Fields{{"max", "8"}, {"req", "4"}},
                               Fields{{"max", "8"}, {"req", "8"}, {"tres.job", "gres/gpu:8"}}})
        EXPECT_THAT(report(decision(open), {"--export", "1"}).err,
                    HasSubstr("left to CPUs or GPUs"));
    const Fields by_tasks = {{"min", "1"}, {"req", "1"}, {"max", "500000"}, {"tasks", "1"}};
    EXPECT_EQ(report(decision(by_tasks), {"--export", "1"}).status, 0);
    EXPECT_THAT(report("", {"--export", "1"}).err,
                HasSubstr("there is no decision 1; 0 are recorded"));
}

TEST_F(Shadow, AWebPageHasThePicturesOfTheLargestDifferences) {
    const std::string page = folder_.path() + "/page.html";
    EXPECT_EQ(report(decision({{"block", "2-5"}, {"nvl72block", "0-3"}}), {"--html", page}).status,
              0);
    std::ifstream stream(page);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    EXPECT_THAT(text, HasSubstr("<svg"));
    EXPECT_THAT(text, HasSubstr("topology/block 4 nodes in 2 racks, nvl72block 4 nodes in 1 rack"));
}

TEST_F(Shadow, AFileThatIsNotThereIsAnError) {
    const Result result = run_command({"shadow", "--file", folder_.path() + "/none"});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr("Nvl72Shadow=on"));
}

/// A report with zeros in every line came from any file.
TEST_F(Shadow, AFileOfSomethingElseIsAnError) {
    const std::string file = folder_.file("slurm.conf", "ClusterName=c\nNodeName=n1\n");
    const Result result = run_command({"shadow", "--file", file});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, file +
                              ": has no record of shadow mode; pass nvl72block_shadow of "
                              "StateSaveLocation, or a copy\n");
    EXPECT_EQ(run_command({"shadow", "--file", folder_.file("empty", "")}).status, 0);
}

TEST_F(Shadow, OneFormOfOutput) {
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {"--json", "--html=x"}, {"--json", "--export=1"}, {"--html=x", "--export=1"}}) {
        const Result result = report("", options);
        EXPECT_EQ(result.status, 2);
        EXPECT_THAT(result.err, HasSubstr(" excludes "));
    }
}

}  // namespace
}  // namespace nvl72block::cli
