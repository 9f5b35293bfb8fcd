// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/diagnosis.hpp"

#include "cli/why/asked_job.hpp"
#include "why_state.hpp"

namespace nvl72block::cli {
namespace {

class DiagnosisTest : public WhyState {};

TEST_F(DiagnosisTest, CountsTheRoomOfBaseBlocks) {
    read("....#...##..####", waiting("8-8", {{"segment_size", 4}}));
    const BaseBlockRoom room = diagnose(*state_, question_).counts;
    EXPECT_EQ(room.wanted, 4U);
    EXPECT_EQ(room.enough, 1U);
    EXPECT_EQ(room.empty, 1U);
    ASSERT_EQ(room.lacking.size(), 2U);
    EXPECT_EQ(room.lacking[0].usable, 3U);
    EXPECT_EQ(room.lacking[1].usable, 2U);
    EXPECT_EQ(room.level_size, 8U);
    EXPECT_EQ(room.enough_together, 1U);
}

TEST_F(DiagnosisTest, ListsTheBlocksWithMostDrainedNodesFirst) {
    read("x...xx..........", waiting("16-16"));
    const Diagnosis diagnosis = diagnose(*state_, question_);
    ASSERT_EQ(diagnosis.drained.size(), 2U);
    EXPECT_EQ(diagnosis.drained[0].block, 1U);
    EXPECT_EQ(diagnosis.drained[0].nodes.count(), 2U);
    EXPECT_FALSE(diagnosis.fits());
}

TEST_F(DiagnosisTest, APermanentRefusalHasNoForecast) {
    JobLine job = waiting("5-5");
    job.partition = "debug";  // MaxNodes=4
    job.reason = "PartitionNodeLimit";
    read("................", job);
    const Diagnosis diagnosis = diagnose(*state_, question_);
    EXPECT_FALSE(diagnosis.fits());
    EXPECT_FALSE(diagnosis.forecast.start);
    EXPECT_TRUE(diagnosis.suggestions.empty());
}

TEST_F(DiagnosisTest, AJobOfTasksIsNotRefusedForItsOpenNodeCount) {
    JobLine job = waiting("1");
    job.partition = "debug";  // MaxNodes=4
    read("................", job);
    state_->jobs.front().max_nodes = 0;
    question_ = job_question(*state_, state_->jobs.front(), 0);
    EXPECT_EQ(question_.request.max_nodes, 4U);
    EXPECT_TRUE(diagnose(*state_, question_).fits());
}

/// What slurmctld would give the job.
WillRun answer_of(const ClusterState& state, const std::string& nodes) {
    WillRun said;
    said.nodes = state.cluster.nodes.parse("nodes", nodes);
    return said;
}

TEST_F(DiagnosisTest, SlurmctldFindsNodesThatTheRecordsDoNotOffer) {
    read("####....########", waiting("8-8"));
    WillRun said = answer_of(*state_, "n[01-08]");
    EXPECT_FALSE(diagnose(*state_, question_, said).fits());
    said.at_once = true;
    const Diagnosis diagnosis = diagnose(*state_, question_, said);
    ASSERT_TRUE(diagnosis.fits());
    EXPECT_EQ(std::get<Placement>(diagnosis.answer).blocks, (std::vector<BlockIndex>{0, 1}));
}

TEST_F(DiagnosisTest, SlurmctldHasNodesOnlyLater) {
    read("####............", waiting("8-8"));
    const Diagnosis diagnosis = diagnose(*state_, question_, answer_of(*state_, "n[01-08]"));
    EXPECT_FALSE(diagnosis.fits());
    EXPECT_TRUE(diagnosis.answer_fits());
    ASSERT_TRUE(diagnosis.told);
    EXPECT_EQ(diagnosis.told->sentence, "4 of the 8 nodes that it would get are not free now");
}

/// These nodes are wholly free: the start is the one that backfill planned before. It was told that
/// they "have too little for it now".
TEST_F(DiagnosisTest, SlurmctldHasFreeNodesForAStartThatWasPlannedForLater) {
    read("####............", waiting("8-8"));
    WillRun said = answer_of(*state_, "n[05-12]");
    EXPECT_EQ(diagnose(*state_, question_, said).told->sentence,
              "the nodes that it would get are usable by the records; slurmctld would start it "
              "there later");
    said.start = parse_time("2026-11-22T22:00:00");
    EXPECT_EQ(diagnose(*state_, question_, said).told->sentence,
              "the nodes that it would get are usable by the records; slurmctld would start it "
              "there at 22:00");
}

/// The main scheduler keeps nodes that the test counts: its sentence was dropped.
TEST_F(DiagnosisTest, ACurrentSentenceStaysWhereTheTestBringsNone) {
    read("####............",
         waiting("8-8", {{"system_comment", "nvl72block: needs 8 nodes; 4 are free"}}));
    WillRun said = answer_of(*state_, "n[05-12]");
    EXPECT_EQ(diagnose(*state_, question_, said).told->sentence, "needs 8 nodes; 4 are free");
    said.at_once = true;
    EXPECT_TRUE(diagnose(*state_, question_, said).fits());
}

/// Slurm's test does not look at users, its start does.
TEST_F(DiagnosisTest, NodesThatAnotherUsersJobsKeep) {
    read("####............", waiting("2-2", {{"exclusive", "user"}}));
    JobRecord running = state_->jobs.front();
    running.id = 77;
    running.state = JobState::running;
    running.user = "another";
    running.exclusive_user = false;
    running.nodes = state_->cluster.nodes.parse("nodes", "n[01-04]");
    state_->jobs.push_back(running);
    question_ = job_question(*state_, state_->jobs.front(), 0);
    WillRun said = answer_of(*state_, "n[04-05]");
    said.at_once = true;
    const Diagnosis elsewhere = diagnose(*state_, question_, said);
    ASSERT_TRUE(elsewhere.fits());
    EXPECT_FALSE(std::get<Placement>(elsewhere.answer).nodes.test(3));
    state_->jobs.front().min_nodes = state_->jobs.front().max_nodes = 14;
    question_ = job_question(*state_, state_->jobs.front(), 0);
    said.nodes = answer_of(*state_, "n[03-16]").nodes;
    const Diagnosis waits = diagnose(*state_, question_, said);
    ASSERT_TRUE(waits.told);
    EXPECT_EQ(waits.told->sentence,
              "2 of the 14 nodes that it would get are in use by another user's jobs");
    EXPECT_FALSE(waits.fits());
}

/// Slurm's test counts them as free, its start does not.
TEST_F(DiagnosisTest, NodesThatJobsAreAboutToLeave) {
    read("####............", waiting("8-8"));
    for (NodeIndex node = 4; node < 9; ++node) {
        state_->nodes[node].flags |= flag_completing;
        state_->nodes[node].base = NodeBase::idle;
    }
    WillRun said = answer_of(*state_, "n[05-12]");
    said.at_once = true;
    const Diagnosis waits = diagnose(*state_, question_, said);
    ASSERT_TRUE(waits.told);
    EXPECT_EQ(waits.told->sentence, "5 of the 8 nodes that it would get are still completing");
    EXPECT_FALSE(waits.fits());
    // On four nodes elsewhere it would start.
    state_->jobs.front().min_nodes = state_->jobs.front().max_nodes = 4;
    question_ = job_question(*state_, state_->jobs.front(), 0);
    said.nodes = answer_of(*state_, "n[05-08]").nodes;
    const Diagnosis starts = diagnose(*state_, question_, said);
    ASSERT_TRUE(starts.fits());
    EXPECT_EQ(count_of_both(std::get<Placement>(starts.answer).nodes, said.nodes), 0U);
}

/// Slurm adds the time of the other job to the start.
TEST_F(DiagnosisTest, SlurmctldHasFreeNodesForAJobBehindAnotherOne) {
    JobLine other = waiting("4-4");
    other.id = 14;
    other.priority = 1U << 20;
    read("####............", waiting("8-8"), {other});
    EXPECT_TRUE(diagnose(*state_, question_, answer_of(*state_, "n[05-12]")).fits());
    EXPECT_FALSE(diagnose(*state_, question_, answer_of(*state_, "n[01-08]")).fits());
}

TEST_F(DiagnosisTest, SlurmctldFindsNoNodes) {
    read("####............", waiting("16-16"), {running(11, "n[01-04]", "2026-11-22T21:51:21")});
    EXPECT_TRUE(diagnose(*state_, question_).forecast.start);
    const Diagnosis diagnosis = diagnose(*state_, question_, answer_of(*state_, ""));
    EXPECT_FALSE(diagnosis.forecast.start);
    EXPECT_EQ(diagnosis.told->sentence, "no nodes for it, even when all running jobs have ended");
}

/// slurmctld's test ends no reservation: there was no forecast.
TEST_F(DiagnosisTest, TheEndOfAReservationStartsAJobThatHasNoNodesByTheTest) {
    read("................", waiting("16-16"), {},
         reservation_line("others", "n[01-04]", "2026-11-22T20:00:00", "2026-11-22T21:51:21"));
    const Diagnosis diagnosis = diagnose(*state_, question_, answer_of(*state_, ""));
    EXPECT_EQ(diagnosis.told->sentence, "no nodes for it, even when all running jobs have ended");
    ASSERT_TRUE(diagnosis.forecast.start);
    EXPECT_EQ(time_text(*diagnosis.forecast.start), "2026-11-22 21:51");
    ASSERT_EQ(diagnosis.forecast.released.size(), 1U);
}

/// With too few nodes in service, Slurm's test asks no plugin.
TEST_F(DiagnosisTest, AnOldSentenceIsNoneOfTheTest) {
    JobLine job = waiting("16-16", {{"system_comment",
                                     "nvl72block: needs 16 nodes; 12 are free; starts with "
                                     "--nodes=12"}});
    job.reason = "QOSMaxJobsPerUserLimit";
    read("xxxxxxxx........", job);
    WillRun said = answer_of(*state_, "");
    said.told = state_->jobs.front().told;
    const Diagnosis diagnosis = diagnose(*state_, question_, said);
    EXPECT_EQ(diagnosis.told->sentence, "no nodes for it, even when all running jobs have ended");
    for (const Suggestion& each : diagnosis.suggestions) EXPECT_NE(each.option, "--nodes=12");
}

/// Of `-C '[a*4&b*4]'` the plugin is asked for each part on its own.
TEST_F(DiagnosisTest, APartOfTheRequestThatIsNotConsideredLeavesNoSuggestion) {
    JobLine job = waiting("8-8", {{"system_comment",
                                   "nvl72block: needs 4 nodes; 3 are free; "
                                   "starts with --nodes=3"}});
    job.features = "[a*4&b*4]";
    read("############....", job);
    const Diagnosis diagnosis = diagnose(*state_, question_);
    EXPECT_EQ(diagnosis.told->sentence, "needs 4 nodes; 3 are free");
    EXPECT_TRUE(diagnosis.suggestions.empty());
    WillRun said = answer_of(*state_, "n[05-12]");
    said.at_once = true;
    EXPECT_FALSE(diagnose(*state_, question_, said).fits()) << "the test does not count them";
}

TEST_F(DiagnosisTest, ThePluginsSentenceOfTheTestCounts) {
    read("####............", waiting("16-16"));
    WillRun said = answer_of(*state_, "n[01-16]");
    said.told = "needs 16 nodes; 12 are free; starts with --nodes=12";
    const Diagnosis diagnosis = diagnose(*state_, question_, said);
    EXPECT_EQ(diagnosis.told->sentence, "needs 16 nodes; 12 are free");
    EXPECT_EQ(diagnosis.suggestions.front().option, "--nodes=12");
}

/// As Slurm 24.11 shows the job.
TEST_F(DiagnosisTest, SlurmctldsRefusalNamesTheSegments) {
    read("####............", waiting("16-16"));
    JobRecord job = find_job(*state_, "13");
    job.not_modelled = {std::string(hidden_segments), "--exclusive=mcs"};
    WillRun said = answer_of(*state_, "n[01-16]");
    const AskSlurmctld ask = [&](const JobRecord&) { return said; };
    EXPECT_EQ(diagnose(*state_, job, ask).first.not_considered, job.not_modelled);
    said.told = "needs 4 segments of 4 nodes; 3 fit";
    said.segment_size = 4;
    const JobQuestion refused = diagnose(*state_, job, ask).first;
    EXPECT_EQ(refused.not_considered, std::vector<std::string>{"--exclusive=mcs"});
    EXPECT_EQ(refused.request.segment_size, 4U);
    said.told.clear();
    said.segment_size.reset();
    said.at_once = true;
    EXPECT_EQ(diagnose(*state_, job, ask).first.not_considered, refused.not_considered);
}

/// Named nodes are all that slurmctld tries, also where the job needs more; a later begin and
/// licenses are no matter of nodes.
TEST_F(DiagnosisTest, SlurmctldsTestTellsNothingOfOtherNodes) {
    JobLine job = waiting("3-3");
    job.required = "n01";
    read("#...............", job, {running(11, "n01", "2026-11-22T21:51:21")});
    const Diagnosis named = diagnose(*state_, question_, answer_of(*state_, ""));
    EXPECT_FALSE(named.will_run);
    ASSERT_TRUE(named.forecast.start);
    read("................", waiting("3-3"));
    EXPECT_FALSE(diagnose(*state_, question_, answer_of(*state_, "n[01-03]")).fits());
    state_->jobs.front().reason = "Licenses";
    EXPECT_TRUE(diagnose(*state_, question_, answer_of(*state_, "n[01-03]")).fits());
    state_->jobs.front().reason = "BeginTime";
    state_->jobs.front().eligible = state_->now + 7200;
    EXPECT_TRUE(diagnose(*state_, question_, answer_of(*state_, "n[01-03]")).fits());
}

/// topology/block ignores --switches.
TEST_F(DiagnosisTest, SwitchesMatterToThePluginOnly) {
    read("................", waiting("8-8", {{"switches", 1}}));
    EXPECT_TRUE(question_.not_considered.empty());
    state_->topology_plugin = "topology/nvl72block";
    EXPECT_EQ(job_question(*state_, *question_.job, 0).not_considered,
              std::vector<std::string>{"--switches"});
}

TEST_F(DiagnosisTest, SlurmctldIsAskedWithoutASentenceOrAgainstTheRecords) {
    unsigned asked = 0;
    const AskSlurmctld ask = [&](const JobRecord&) {
        ++asked;
        return std::optional<WillRun>();
    };
    read("####............", waiting("16-16"));
    (void)diagnose(*state_, find_job(*state_, "13"), ask);
    EXPECT_EQ(asked, 1U);
    read("####............", waiting("16-16", {{"system_comment", "nvl72block: needs 16 nodes"}}));
    (void)diagnose(*state_, find_job(*state_, "13"), ask);
    EXPECT_EQ(asked, 1U);
    read("................", waiting("16-16", {{"system_comment", "nvl72block: needs 16 nodes"}}));
    (void)diagnose(*state_, find_job(*state_, "13"), ask);
    EXPECT_EQ(asked, 2U);
    JobLine behind = waiting("16-16", {{"system_comment", "nvl72block: needs 16 nodes"}});
    behind.reason = "Priority";
    read("####............", behind);
    (void)diagnose(*state_, find_job(*state_, "13"), ask);
    EXPECT_EQ(asked, 3U);
}

}  // namespace
}  // namespace nvl72block::cli
