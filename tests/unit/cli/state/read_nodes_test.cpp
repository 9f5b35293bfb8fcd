// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/input/input_error.hpp"
#include "cli/state/readers.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

std::vector<NodeRecord> read(const std::string& nodes, Notes& notes) {
    SnapshotText text("");
    text.nodes = nodes;
    return read_nodes(text.document(), notes);
}

TEST(ReadNodes, ReadsAllMembers) {
    Notes notes;
    const std::vector<NodeRecord> nodes =
        read(node_line("node007", "IDLE+CLOUD+DRAIN+POWERED_DOWN", 0, "", "bad NVLink tray") +
                 node_line("node008", "MIXED+CLOUD", 2, "blue,nvl", "", "nvl") +
                 R"({"name":"node009","state":"MIXED","gres":"gpu:4","gres_used":"gpu:1",)" +
                 R"("allocated_tres":"cpu=2,gres/gpu=3","weight":5,"allocated_memory":7},)",
             notes);
    ASSERT_EQ(nodes.size(), 3U);
    EXPECT_EQ(nodes[0].name, "node007");
    EXPECT_EQ(nodes[0].base, NodeBase::idle);
    EXPECT_TRUE(nodes[0].has(flag_drain));
    EXPECT_TRUE(nodes[0].has(flag_powered_down));
    EXPECT_EQ(nodes[0].reason, "bad NVLink tray");
    EXPECT_EQ(nodes[0].gpus, 4U);
    EXPECT_EQ(nodes[1].base, NodeBase::mixed);
    EXPECT_EQ(nodes[1].available_features, "blue,nvl");
    EXPECT_EQ(nodes[1].active_features, "nvl");
    EXPECT_EQ(nodes[1].allocated_cpus, 2U);
    EXPECT_EQ(nodes[1].memory, 900000U);
    EXPECT_EQ(nodes[2].allocated_gpus, 3U);
    EXPECT_EQ(nodes[2].allocated_memory, 7U);
    EXPECT_EQ(nodes[2].weight, 5U);
    EXPECT_TRUE(notes.remarks().empty());
}

TEST(ReadNodes, SaysWhichWordsItDoesNotKnow) {
    Notes notes;
    const auto nodes = read(node_line("n1", "IDLE+SLEEPY"), notes);
    ASSERT_EQ(nodes.size(), 1U);
    EXPECT_EQ(nodes[0].base, NodeBase::idle);
    EXPECT_EQ(notes.remarks(),
              std::vector<std::string>{"the unknown node state \"SLEEPY\" is ignored"});
}

TEST(ReadNodes, EachNodeHasANameOfItsOwn) {
    Notes notes;
    EXPECT_THROW((void)read(node_line("n1", "IDLE") + node_line("n1", "DOWN"), notes), InputError);
    EXPECT_THROW((void)read(node_line("", "IDLE"), notes), InputError);
}

TEST(ReadNodes, CliquesAreThoseOfAvailableFeatures) {
    Notes notes;
    const std::string clique = "b78ed242-7b98-426f-b194-b76b8899f4ea.1";
    const auto nodes =
        read(node_line("n1", "IDLE", 0, "x," + clique, "", "") + node_line("n2", "FUTURE"), notes);
    const Inventory inventory = cliques_of_nodes(nodes, "");
    ASSERT_EQ(inventory.nodes().size(), 2U);
    EXPECT_EQ(to_string(inventory.find("n1")->clique.identity), clique);
}

}  // namespace
}  // namespace nvl72block::cli
