// SPDX-License-Identifier: GPL-2.0-or-later
//
// Four racks of four nodes; policy demand unless the test says otherwise.
#include "cli/question/demand_in_force.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// What is in force with these jobs; `history` is slurmctld's file, "" for one that is not shown.
std::string in_force(const std::string& topology_param, const std::string& jobs = "",
                     const std::string& history = "", const std::string& version = "26.05.3") {
    const Folder folder;
    SnapshotText text;
    text.config = config_text(version, "none", topology_param);
    if (!jobs.empty()) text.jobs = jobs;
    text.demand = history;
    const std::string path = text.write(folder);
    std::ostringstream notes;
    const auto known = demand_in_force(read_state({path, ""}, notes));
    EXPECT_EQ(notes.str(), "");
    return known ? to_string(*known) : "none";
}

std::string pending(const std::string& count, const nlohmann::json& more, unsigned id = 2) {
    JobLine line;
    line.id = id;
    line.count = count;
    line.more = more;
    return job_line(line);
}

constexpr const char* policy = "Nvl72Policy=demand";
// In node-seconds, up to 2026-11-22.
constexpr const char* history_of_threes = "nvl72block demand 1\n1795000000\n3 90000000\nend\n";

TEST(DemandInForce, AnotherPolicyHasNone) {
    EXPECT_EQ(in_force("Nvl72Policy=pack"), "none");
    EXPECT_EQ(in_force("Nvl72Policy=compact,Nvl72Demand=4:1"), "none");
    EXPECT_NE(in_force(""), "none");
}

TEST(DemandInForce, WhatIsStatedIsTaken) {
    EXPECT_EQ(in_force("Nvl72Policy=demand,Nvl72Demand=4:0.75+2:0.25"),
              "4:0.75+2:0.25 (stated by Nvl72Demand)");
    EXPECT_EQ(in_force("Nvl72Policy=demand,Nvl72Demand=off"), "off (stated by Nvl72Demand)");
}

TEST(DemandInForce, TheQueueCounts) {
    EXPECT_THAT(in_force(policy, pending("8-8", {{"segment_size", 2}})),
                HasSubstr("8:0.333+4:0.333+2:0.333 (learned: the "
                          "queue alone;"));
}

TEST(DemandInForce, HeldJobsAndJobsOfLaterDoNotCount) {
    JobLine held;
    held.count = "8-8";
    held.more = {{"segment_size", 2}};
    held.priority = 0;
    const std::string later =
        pending("8-8", {{"segment_size", 3}, {"eligible", time_of("2036-11-22T20:51:14")}});
    EXPECT_THAT(in_force(policy, job_line(held) + later),
                HasSubstr("8:0.5+4:0.5 ("));  // the blocks
}

TEST(DemandInForce, EveryTaskOfAnArrayCounts) {
    JobLine array;
    array.more = {{"array_id", 7}, {"array_tasks", "1-3"}};
    array.count = "2-2";
    EXPECT_THAT(in_force(policy, job_line(array) + pending("2-2", {{"segment_size", 0}}) +
                                     pending("8-8", {{"segment_size", 4}}, 3)),
                HasSubstr("8:0.25+4:0.5+2:0.25 ("));
}

TEST(DemandInForce, JobsThatShareNodesCountByTheirCpus) {
    JobLine small;  // two CPUs of 288
    small.count = "2-2";
    small.exclusive = "";
    EXPECT_THAT(in_force(policy, job_line(small) + pending("8-8", {{"segment_size", 4}})),
                HasSubstr("8:0.333+4:0.666+2:0.001 ("));
}

TEST(DemandInForce, TheHistoryOfSlurmctldIsContinued) {
    const std::string known =
        in_force(policy, pending("8-8", {{"segment_size", 2}}), history_of_threes);
    EXPECT_THAT(known, HasSubstr("3:0.991+2:0.009 ("));
    EXPECT_THAT(known, HasSubstr("(learned: the queue, and the history that slurmctld keeps)"));
}

TEST(DemandInForce, BesideAHistoryFromTheAccountingNoSizesOfBlocksCount) {
    EXPECT_THAT(in_force(policy, "", "nvl72block demand 1\n1795000000\naccounting\n3 60\nend\n"),
                HasSubstr("3:1 ("));
    EXPECT_THAT(in_force(policy, "", "nvl72block demand 1\n1795000000\n3 60\nend\n"),
                HasSubstr("8:0.5+4:0.5 ("));
}

TEST(DemandInForce, ADamagedHistoryIsLeftOut) {
    EXPECT_THAT(in_force(policy, pending("8-8", {{"segment_size", 2}}), "nvl72block demand 1\n"),
                HasSubstr("the queue alone"));
}

// Slurm 24.11 does not show segments: a job of 8 nodes in segments of 2 would count as one of 8.
TEST(DemandInForce, WithoutSizesOfSegmentsTheQueueDoesNotCount) {
    EXPECT_THAT(in_force(policy, pending("2-2", {}), "", "24.11.5"),
                HasSubstr("8:0.5+4:0.5 (the sizes of the blocks;"));
    EXPECT_THAT(in_force(policy, pending("2-2", {}), history_of_threes, "24.11.5"),
                HasSubstr("3:1 (learned: the history that slurmctld keeps)"));
}

}  // namespace
}  // namespace nvl72block::cli
