// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/cluster_state.hpp"

#include <sstream>

#include "cli/input/input_error.hpp"
#include "cli/question/availability.hpp"
#include "cli/state/state_text.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

class ClusterStateTest : public testing::Test {
  protected:
    ClusterState read(const SnapshotText& text) {
        return read_state({text.write(folder_), ""}, notes_);
    }
    std::string failure(const SnapshotText& text) {
        try {
            (void)read(text);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    Folder folder_;
    std::ostringstream notes_;
};

TEST_F(ClusterStateTest, PutsTheTextsTogether) {
    SnapshotText text("##..x...........");
    JobLine job;
    job.state = "RUNNING";
    job.nodes = "n[01-02]";
    text.jobs = job_line(job);
    const ClusterState state = read(text);
    EXPECT_EQ(state.topology().block_count(), 4U);
    EXPECT_EQ(state.topology().levels().size(), 3U);
    EXPECT_EQ(state.nodes[4].reason, "bad NVLink tray");
    EXPECT_EQ(state.jobs[0].nodes.count(), 2U);
    EXPECT_TRUE(state.shows_segments);
    EXPECT_EQ(state.partition("").name, "main");
    EXPECT_THROW((void)state.partition("none"), InputError);
    EXPECT_EQ(notes_.str(), "");
}

TEST_F(ClusterStateTest, SaysWhatIsHidden) {
    SnapshotText text;
    text.config = config_text("24.11.5", "jobs");
    EXPECT_FALSE(read(text).shows_segments);
    EXPECT_EQ(notes_.str(),
              "note: PrivateData=jobs: jobs that user alice may not see are missing here\n");
}

TEST_F(ClusterStateTest, NodesThatAreNotShownAreOutOfService) {
    SnapshotText text("............");  // n13 to n16 are missing
    const ClusterState state = read(text);
    EXPECT_EQ(state.nodes.size(), 12U);
    EXPECT_NE(notes_.str().find("the topology has nodes that are not shown"), std::string::npos);
}

TEST_F(ClusterStateTest, NeedsBlocks) {
    SnapshotText text;
    text.topology = "";
    EXPECT_EQ(failure(text),
              "scontrol show topology: shows no blocks (TopologyPlugin is topology/block); name a "
              "topology.conf with --topology FILE");
    const std::string file = folder_.file("topology.conf", "BlockName=a Nodes=n[01-16]\n");
    EXPECT_EQ(read_state({folder_.path(), file}, notes_).topology().block_count(), 1U);
}

TEST_F(ClusterStateTest, AFolderThatIsNoSnapshot) {
    EXPECT_THROW((void)read_state({folder_.path(), ""}, notes_), InputError);
    (void)folder_.file("other", "text");
    EXPECT_THROW(write_snapshot(folder_.path(), {}), InputError);
}

TEST_F(ClusterStateTest, SnapshotsAreReadAsTheyWereWritten) {
    const StateText text = read_snapshot(SnapshotText("#...............").write(folder_));
    write_snapshot(folder_.path() + "/copy", text);
    EXPECT_EQ(read_snapshot(folder_.path() + "/copy").nodes, text.nodes);
}

TEST_F(ClusterStateTest, EveryNodeIsInOneSet) {
    SnapshotText text("##..x...........");
    text.reservations =
        reservation_line("soon", "n[09-12]", "2026-11-22T21:51:21", "2026-11-22T22:51:21");
    const ClusterState state = read(text);
    Viewer viewer;
    viewer.partition = &state.partition("main");
    const Availability nodes = availability(state, viewer);
    EXPECT_EQ(nodes.free.count(), 9U);
    EXPECT_EQ(nodes.busy.count(), 2U);
    EXPECT_EQ(nodes.drained.count(), 1U);
    EXPECT_EQ(nodes.reserved.count(), 4U);
    viewer.duration = 1800;  // it ends before the reservation begins
    EXPECT_EQ(availability(state, viewer).reserved.count(), 0U);
    viewer.reservation = "soon";
    EXPECT_EQ(availability(state, viewer).free.count(), 0U) << "it has not begun";
    EXPECT_TRUE(reserved_nodes(state, viewer, state.reservations.front().start).empty());
}

TEST(Availability, StatesInWhichANodeIsUsed) {
    NodeRecord node;
    node.base = NodeBase::idle;
    EXPECT_TRUE(is_free(node));
    node.flags = flag_cloud | flag_powered_down | flag_no_respond;
    EXPECT_TRUE(is_free(node)) << "a node that is switched off is started for a job";
    node.flags = flag_planned;
    EXPECT_TRUE(is_free(node));
    for (const NodeFlag flag : {flag_drain, flag_fail, flag_invalid, flag_no_respond,
                                flag_powering_down, flag_reboot, flag_completing, flag_blocked}) {
        node.flags = flag;
        EXPECT_FALSE(is_free(node)) << flag;
    }
    node.flags = 0;
    node.base = NodeBase::down;
    EXPECT_FALSE(in_service(node));
    node.base = NodeBase::mixed;
    EXPECT_TRUE(in_service(node));
    EXPECT_FALSE(is_free(node));
}

}  // namespace
}  // namespace nvl72block::cli
