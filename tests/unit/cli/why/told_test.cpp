// SPDX-License-Identifier: GPL-2.0-or-later
#include "../state/snapshot_folder.hpp"
#include "cli/state/readers.hpp"
#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {
namespace {

/// What a job waits for that was told so and has this reason now.
std::optional<Told> told_with(const std::string& reason, nlohmann::json more = {}) {
    more["system_comment"] = "nvl72block: needs 16 nodes; 12 are free; starts with --nodes=12";
    JobLine line = waiting_job("16-16", more);
    line.reason = reason;
    SnapshotText text;
    text.jobs = job_line(line);
    Notes notes;
    const NodeTable table({"n1"});
    return told_by_plugin(read_jobs(text.document(), table, notes).at(0),
                          *parse_time("2026-11-22T20:51:21"));
}

TEST(Told, AnEvaluationForAStartGivesAReason) {
    for (const char* reason :
         {"Resources", "No_suitable_topology_unit_found_for_segment",
          "Insufficient_resources_in_topology_unit", "Required_nodes_do_not_fit_topology",
          "No_available_nodes_in_topology"}) {
        ASSERT_TRUE(told_with(reason)) << reason;
        EXPECT_EQ(told_with(reason)->sentence, "needs 16 nodes; 12 are free");
        EXPECT_EQ(told_with(reason)->options, std::vector<std::string>{"--nodes=12"});
    }
}

/// An hour after a limit was reached, its sentence of before was the verdict, with options that did
/// not start the job.
TEST(Told, ASentenceOfAJobThatIsNotEvaluatedIsOld) {
    for (const char* reason :
         {"Priority", "None", "JobArrayTaskLimit", "QOSMaxJobsPerUserLimit", "AssocGrpNodeLimit",
          "PartitionDown", "PartitionTimeLimit", "Reservation", "BeginTime",
          "ReqNodeNotAvail,_UnavailableNodes:n01",
          "Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_"
          "partitions"})
        EXPECT_FALSE(told_with(reason)) << reason;
    EXPECT_FALSE(told_with("Resources", {{"priority", 0}}));
    EXPECT_FALSE(told_with("Resources", {{"dependency", "afterok:7"}}));
    EXPECT_FALSE(told_with("Resources", {{"eligible", time_of("2026-11-22T23:51:21")}}));
}

/// The plugin's own way to let a job wait after a search that ended early.
TEST(Told, LicensesAreAnotherReasonForAJobThatAsksForSome) {
    EXPECT_TRUE(told_with("Licenses"));
    EXPECT_FALSE(told_with("Licenses", {{"licenses", "matlab:1"}}));
}

}  // namespace
}  // namespace nvl72block::cli
