// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/cluster_state.hpp"

#include <sstream>

#include "cli/input/input_error.hpp"
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

TEST_F(ClusterStateTest, PutsTheRecordsTogether) {
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
              "note: PrivateData=jobs: jobs hidden from user alice are not counted\n");
}

TEST_F(ClusterStateTest, NodesThatAreNotShownAreOutOfService) {
    SnapshotText text("............");  // n13 to n16 are missing
    const ClusterState state = read(text);
    EXPECT_EQ(state.nodes.size(), 12U);
    EXPECT_NE(notes_.str().find("the topology has nodes that are not shown"), std::string::npos);
}

TEST_F(ClusterStateTest, NeedsBlocks) {
    SnapshotText text;
    text.blocks = "";
    EXPECT_EQ(failure(text),
              "scontrol show topology: shows no blocks (TopologyPlugin is topology/block); pass a "
              "topology.conf with --topology FILE");
    const std::string file = folder_.file("topology.conf", "BlockName=a Nodes=n[01-16]\n");
    EXPECT_EQ(read_state({folder_.path(), file}, notes_).topology().block_count(), 1U);
}

}  // namespace
}  // namespace nvl72block::cli
