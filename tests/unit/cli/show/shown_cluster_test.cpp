// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a running cluster's records become in a map and a drawing.
#include "cli/show/shown_cluster.hpp"

#include <sstream>

#include "../command.hpp"
#include "cli/show/show_picture.hpp"
#include "cli/show/show_report.hpp"
#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {
namespace {

constexpr SlurmTime noon = 1'000'000;

LoadedCluster two_racks() {
    const Folder folder;
    std::ostringstream notes;
    return load_cluster(folder.file("topology.conf",
                                    "BlockName=rack1 Nodes=n[0-3]\nBlockName=rack2 Nodes=n[4-7]\n"
                                    "BlockSizes=4,8\n"),
                        {}, notes);
}

/// Eight idle nodes.
ClusterState idle_state() {
    ClusterState state{noon, "test", "25.11.7", "topology/nvl72block", {}, two_racks(), {}, {},
                       {},   {},     true};
    for (const std::string& name : state.cluster.nodes.names()) {
        NodeRecord node;
        node.name = name;
        node.base = NodeBase::idle;
        node.state = "IDLE";
        node.cpus = 4;
        state.nodes.push_back(node);
    }
    return state;
}

NodeSet nodes_of(const ClusterState& state, const std::string& list) {
    return state.cluster.nodes.parse("test", list);
}

void add_job(ClusterState& state, std::uint32_t id, const std::string& list) {
    JobRecord job;
    job.id = id;
    job.name = "train";
    job.user = "alice";
    job.partition = "batch";
    job.state = JobState::running;
    job.nodes = nodes_of(state, list);
    job.end = noon + 3600;
    state.jobs.push_back(job);
    job.nodes.for_each([&](NodeIndex node) {
        state.nodes[node].base = NodeBase::allocated;
        state.nodes[node].allocated_cpus = state.nodes[node].cpus;
        state.nodes[node].state = "ALLOCATED";
    });
}

void set_state(NodeRecord& node, NodeBase base, std::uint32_t flags, const std::string& text,
               const std::string& reason = "") {
    node.base = base;
    node.flags = flags;
    node.state = text;
    node.reason = reason;
}

std::string map_of(const ShownCluster& shown) {
    std::string map;
    for (NodeIndex node = 0; node < shown.loaded.nodes.size(); ++node)
        map += shown.states.glyph(node);
    return map;
}

/// The words that the drawing has for each node.
std::vector<std::string> words_of(const ShownCluster& shown) {
    const Picture picture = show_picture(shown, headroom(shown.topology(), shown.states.free()));
    std::vector<std::string> words;
    for (const DrawnRack& rack : picture.racks)
        for (const DrawnNode& node : rack.nodes) words.push_back(node_words(picture, rack, node));
    return words;
}

TEST(ShownCluster, HasTheJobsOfTheState) {
    ClusterState state = idle_state();
    add_job(state, 4711, "n[0-2]");
    add_job(state, 4712, "n4");
    state.jobs.push_back({});  // a pending one
    state.jobs.back().state = JobState::pending;
    const ShownCluster shown = cluster_of_state(state);
    EXPECT_EQ(map_of(shown), "AAA.B...");
    EXPECT_EQ(shown.states.jobs()[0].name, "4711");
    EXPECT_EQ(words_of(shown)[0], "n0 (rack1): job 4711 (train, alice, batch, 1 h left)");
    EXPECT_EQ(words_of(shown)[3], "n3 (rack1): free");
    EXPECT_EQ(shown.title, "Racks of cluster test, " + time_text(noon));
}

TEST(ShownCluster, TellsStatesApart) {
    ClusterState state = idle_state();
    add_job(state, 1, "n0");
    set_state(state.nodes[0], NodeBase::allocated, flag_drain, "ALLOCATED+DRAIN", "fan");
    set_state(state.nodes[1], NodeBase::idle, flag_drain, "IDLE+DRAIN", "GPU 2 <lost>");
    set_state(state.nodes[2], NodeBase::down, 0, "DOWN", "Not responding");
    set_state(state.nodes[3], NodeBase::idle, flag_planned, "IDLE+PLANNED");
    set_state(state.nodes[4], NodeBase::idle, flag_powered_down | flag_cloud,
              "IDLE+CLOUD+POWERED_DOWN");
    set_state(state.nodes[5], NodeBase::future, 0, "FUTURE");
    set_state(state.nodes[6], NodeBase::mixed, 0, "MIXED");
    const ShownCluster shown = cluster_of_state(state);
    EXPECT_EQ(map_of(shown), "Xxx..x#.");
    const Picture picture = show_picture(shown, {});
    const std::vector<DrawnNode>& one = picture.racks[0].nodes;
    const std::vector<DrawnNode>& two = picture.racks[1].nodes;
    EXPECT_EQ(one[0].mark, NodeMark::drained);
    EXPECT_EQ(one[1].mark, NodeMark::drained);
    EXPECT_EQ(one[2].mark, NodeMark::down);
    EXPECT_EQ(one[3].mark, NodeMark::unavailable);
    EXPECT_EQ(two[0].mark, NodeMark::none);
    EXPECT_EQ(two[1].mark, NodeMark::unavailable);
    EXPECT_TRUE(two[2].busy);
    EXPECT_TRUE(two[2].partly);
    EXPECT_EQ(words_of(shown)[1], "n1 (rack1): drained, IDLE+DRAIN (GPU 2 <lost>)");
    EXPECT_EQ(words_of(shown)[0],
              "n0 (rack1): job 1 (train, alice, batch, 1 h left), draining, ALLOCATED+DRAIN (fan)");
    EXPECT_EQ(words_of(shown)[3], "n3 (rack1): IDLE+PLANNED");
    EXPECT_EQ(words_of(shown)[4], "n4 (rack2): free, IDLE+CLOUD+POWERED_DOWN");
    EXPECT_EQ(words_of(shown)[6], "n6 (rack2): busy, partly free");
}

TEST(ShownCluster, ReservedAreTheNodesOfActiveReservations) {
    ClusterState state = idle_state();
    add_job(state, 1, "n3");
    ReservationRecord now, later;
    now.name = "maint";
    now.nodes = nodes_of(state, "n[2-3]");
    now.start = noon - 60;
    now.end = noon + 60;
    later.name = "later";
    later.nodes = nodes_of(state, "n[6-7]");
    later.start = noon + 600;
    later.end = noon + 660;
    state.reservations = {now, later};
    const ShownCluster shown = cluster_of_state(state);
    EXPECT_EQ(map_of(shown), "..rA....");
    EXPECT_EQ(shown.states.free().count(), 6U);
    EXPECT_EQ(words_of(shown)[2], "n2 (rack1): reserved, reservation maint");
    EXPECT_TRUE(show_picture(shown, {}).racks[0].nodes[3].reserved);
}

TEST(ShownCluster, HasTheCliquesThatFeaturesName) {
    ClusterState state = idle_state();
    EXPECT_FALSE(cluster_of_state(state).cliques.has_value());
    for (NodeRecord& node : state.nodes)
        node.available_features = "gb200,12345678-1234-1234-1234-123456789abc.7";
    const ShownCluster shown = cluster_of_state(state);
    ASSERT_TRUE(shown.cliques.has_value());
    const Picture picture = show_picture(shown, {});
    EXPECT_EQ(picture.racks[0].nodes[0].clique, 0U);
    EXPECT_FALSE(picture.remarks.empty());  // one clique over two blocks
}

TEST(ShownCluster, NodesInNoBlockAreInColumnsAsLongAsRacks) {
    const Folder folder;
    std::ostringstream notes;
    ShownOptions options;
    options.state.topology =
        folder.file("topology.conf", "BlockName=b1 Nodes=n[1-4]\nBlockSizes=4\n");
    options.busy = "login[1-9]";
    const Picture picture = show_picture(cluster_of_lists(options, notes), {});
    ASSERT_EQ(picture.racks.size(), 4U);
    EXPECT_TRUE(picture.racks[1].outside);
    EXPECT_EQ(picture.racks[1].nodes.size(), 4U);
    EXPECT_EQ(picture.racks[3].nodes.size(), 1U);
    EXPECT_TRUE(picture.levels.empty());
}

TEST(ShownCluster, TellsWhatSlotsAreKept) {
    ClusterState state = idle_state();
    state.options.demand = "4:1";
    state.topology_plugin = "topology/block";
    EXPECT_EQ(show_json(cluster_of_state(state), {})["demand"], nullptr);
    state.topology_plugin = "topology/nvl72block";
    state.options.policy = Policy::pack;
    EXPECT_EQ(show_json(cluster_of_state(state), {})["demand"], nullptr);
    state.options.policy = Policy::demand;
    const ShownCluster shown = cluster_of_state(state);
    EXPECT_NE(summary_text(shown, {}).find("\nkeeps slots for: 4:1 (stated by Nvl72Demand)\n"),
              std::string::npos);
    EXPECT_EQ(show_json(shown, {})["demand"].dump(),
              R"({"sizes":[{"nodes":4,"share":1.0}],"source":"stated by Nvl72Demand"})");
}

}  // namespace
}  // namespace nvl72block::cli
