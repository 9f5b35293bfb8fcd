// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/state/parse.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

/// As scontrol 24.11.5 prints them, with a blank at the end.
const char* const lines_24 =
    "NodeName=node007 CoresPerSocket=72  CPUAlloc=0 CPUEfctv=144 CPUTot=144 CPULoad=0.00 "
    "AvailableFeatures=(null) ActiveFeatures=(null) Gres=gpu:4 NodeAddr=node007 "
    "NodeHostName=node007  RealMemory=900000 AllocMem=0 FreeMem=N/A Sockets=2 Boards=1 "
    "State=IDLE+CLOUD+DRAIN+POWERED_DOWN ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A "
    "MCS_label=N/A Partitions=main,debug  BootTime=None SlurmdStartTime=None LastBusyTime=Unknown "
    "ResumeAfterTime=None CfgTRES=cpu=144,mem=900000M,billing=144 AllocTRES= CurrentWatts=0 "
    "AveWatts=0  Reason=bad NVLink tray [root@2026-11-22T20:51:13]\n"
    "NodeName=node008 CoresPerSocket=72  CPUAlloc=2 CPUEfctv=144 CPUTot=144 CPULoad=0.00 "
    "AvailableFeatures=blue,nvl ActiveFeatures=blue,nvl Gres=gpu:4 NodeAddr=node008 "
    "NodeHostName=node008  RealMemory=900000 AllocMem=0 FreeMem=N/A Sockets=2 Boards=1 "
    "State=MIXED+CLOUD+POWERED_DOWN ThreadsPerCore=1 TmpDisk=0 Weight=5 Owner=N/A MCS_label=N/A "
    "Partitions=main,debug  BootTime=None SlurmdStartTime=None LastBusyTime=Unknown "
    "ResumeAfterTime=None CfgTRES=cpu=144,mem=900000M,billing=144 AllocTRES=cpu=2 CurrentWatts=0 "
    "AveWatts=0 \n";

TEST(ParseNodes, ReadsWhat2411Prints) {
    Notes notes;
    const std::vector<NodeRecord> nodes = parse_nodes(lines_24, notes);
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].name, "node007");
    EXPECT_EQ(nodes[0].base, NodeBase::idle);
    EXPECT_TRUE(nodes[0].has(flag_drain));
    EXPECT_TRUE(nodes[0].has(flag_powered_down));
    EXPECT_EQ(nodes[0].reason, "bad NVLink tray");
    EXPECT_EQ(nodes[0].gpus, 4U);
    EXPECT_EQ(nodes[1].base, NodeBase::mixed);
    EXPECT_EQ(nodes[1].active_features, "blue,nvl");
    EXPECT_EQ(nodes[1].allocated_cpus, 2U);
    EXPECT_EQ(nodes[1].weight, 5U);
    EXPECT_EQ(nodes[1].reason, "");
    EXPECT_TRUE(notes.remarks().empty());
}

TEST(ParseNodes, SaysWhichWordsItDoesNotKnow) {
    Notes notes;
    const auto nodes = parse_nodes(node_line("n1", "IDLE+SLEEPY"), notes);
    ASSERT_EQ(nodes.size(), 1U);
    EXPECT_EQ(nodes[0].base, NodeBase::idle);
    EXPECT_EQ(notes.remarks(),
              std::vector<std::string>{"the unknown node state \"SLEEPY\" is ignored"});
}

// An operator's comment with a line feed in it.
TEST(ParseNodes, OneNodeHasOneRecord) {
    Notes notes;
    const auto nodes = parse_nodes(
        node_line("n1", "IDLE", 0, "(null)", "Comment=x\nNodeName=n1 State=DOWN"), notes);
    ASSERT_EQ(nodes.size(), 1U);
    EXPECT_EQ(nodes[0].base, NodeBase::idle);
    EXPECT_EQ(notes.remarks(),
              std::vector<std::string>{"node n1 is shown twice; its first record counts"});
}

}  // namespace
}  // namespace nvl72block::cli
