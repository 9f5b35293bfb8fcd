// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a configuration to the topology in force, and the changes that nodes and cliques make to it.
#include "nvl72block/cluster.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <charconv>
#include <fstream>

#include "nvl72block/hostlist.hpp"

namespace nvl72block {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string uuid = "b78ed242-7b98-426f-b194-b76b8899f4e";

/// Node numbers, separated as in a host list.
bool resolve(std::string_view text, std::vector<NodeIndex>& nodes, std::string& error) {
    for (const std::string_view word : hostlist_items(text)) {
        NodeIndex node = 0;
        if (std::from_chars(word.data(), word.data() + word.size(), node).ec != std::errc()) {
            error = "no node " + std::string(word);
            return false;
        }
        nodes.push_back(node);
    }
    return true;
}

Options with(CliqueMode mode) {
    Options options;
    options.cliques = mode;
    return options;
}

/// One letter per node: its clique, '.' for none.
std::shared_ptr<const CliqueMap> cliques(const std::string& letters) {
    std::string feature;
    const auto text_of = [&](NodeIndex node) -> std::string_view {
        feature = letters[node] == '.' ? "" : uuid + letters[node] + ".1";
        return feature;
    };
    return std::make_shared<const CliqueMap>(read_cliques(letters.size(), text_of));
}

class ClusterTest : public ::testing::Test {
  protected:
    ClusterTest()
        : path_(std::filesystem::temp_directory_path() /
                ("nvl72block-cluster-" + std::to_string(getpid()) + ".conf")) {}
    ~ClusterTest() override { std::filesystem::remove(path_); }

    std::optional<Cluster> read(const std::string& text, const Options& options = {},
                                std::size_t nodes = 6) {
        std::ofstream(path_) << text;
        return read_file(options, nodes);
    }
    std::optional<Cluster> read_file(const Options& options, std::size_t nodes = 6) {
        diagnostics_.clear();
        return Cluster::read(path_, options, nodes, resolve, diagnostics_);
    }
    [[nodiscard]] std::vector<std::string> findings() const {
        std::vector<std::string> lines;
        for (const Diagnostic& each : diagnostics_) lines.push_back(to_string(each));
        return lines;
    }

    const std::string two_blocks_ =
        "BlockName=r1 Nodes=0,1,2\nBlockName=r2 Nodes=3,4,5\nBlockSizes=3,6\n";
    std::filesystem::path path_;
    Diagnostics diagnostics_;
};

std::vector<std::string> names(const Cluster& cluster) {
    std::vector<std::string> list;
    for (BlockIndex block = 0; block < cluster.topology().block_count(); ++block)
        list.push_back(cluster.topology().block_name(block));
    return list;
}

TEST_F(ClusterTest, KeepsWhatUsersAreShown) {
    const auto cluster = read(two_blocks_);
    ASSERT_TRUE(cluster);
    EXPECT_THAT(names(*cluster), ElementsAre("r1", "r2"));
    EXPECT_EQ(cluster->nodes_text(1), "3,4,5");
    EXPECT_THAT(cluster->block_sizes(), ElementsAre(3, 6));
    EXPECT_FALSE(cluster->is_changed(0));
    EXPECT_EQ(cluster->to_topology_conf(), two_blocks_);
}

TEST_F(ClusterTest, AWrongConfigurationIsNone) {
    EXPECT_FALSE(read("BlockName=r1 Nodes=x\nBlockSizes=3\n"));
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("no node x")));
    EXPECT_FALSE(read("BlockSizes=3\n"));
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("no BlockName line")));
    std::filesystem::remove(path_);
    EXPECT_FALSE(read_file({}));
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("cannot be read")));
}

TEST_F(ClusterTest, ANodeThatMovesChangesBothBlocks) {
    const auto cluster = read(two_blocks_, {}, 7);
    const Cluster moved = cluster->with_node_in(0, 1);
    EXPECT_TRUE(moved.is_changed(0) && moved.is_changed(1));
    EXPECT_EQ(moved.topology().block_of(0), 1U);
    EXPECT_EQ(cluster->topology().block_of(0), 0U);
    EXPECT_FALSE(cluster->with_node_in(0, 0).is_changed(0));
    const NodeIndex stranger = 6;
    NodeSet set(7);
    set.set(stranger);
    EXPECT_FALSE(cluster->touches(set));
    EXPECT_TRUE(cluster->with_node_in(stranger, 0).touches(set));
}

TEST_F(ClusterTest, ANewBlockHasNoText) {
    const Cluster larger = read(two_blocks_)->with_block("r3");
    EXPECT_THAT(names(larger), ElementsAre("r1", "r2", "r3"));
    EXPECT_EQ(larger.nodes_text(2), "");
    EXPECT_EQ(larger.to_topology_conf(),
              "BlockName=r1 Nodes=0,1,2\nBlockName=r2 Nodes=3,4,5\n"
              "BlockName=r3\nBlockSizes=3,6\n");
}

/// The last good topology could not be read back: a blank between names ended the value, and '#' in
/// a block's name began a comment. So a slurmctld that started with an error in topology.conf
/// ended.
TEST_F(ClusterTest, WhatIsWrittenReadsTheSame) {
    for (const char* nodes : {"\"0, 1 2\"", "\"0 1,2 \"", "0,1,2"}) {
        const auto cluster = read(std::string("BlockName=r\\#1\\\\ Nodes=") + nodes +
                                  "\nBlockName=r2 Nodes=3,4,5\nBlockSizes=3\n");
        ASSERT_TRUE(cluster) << nodes;
        const auto again = read(cluster->to_topology_conf());
        EXPECT_THAT(findings(), IsEmpty()) << cluster->to_topology_conf();
        ASSERT_TRUE(again) << nodes;
        EXPECT_THAT(names(*again), ElementsAre("r#1\\", "r2"));
        EXPECT_EQ(again->topology().block_nodes(0), 3U);
        EXPECT_EQ(again->to_topology_conf(), cluster->to_topology_conf());
    }
}

/// Lines of a topology.yaml's text are lines of their own nowhere else.
TEST_F(ClusterTest, WhatIsWrittenOfYamlReadsTheSame) {
    TopologyConfig config;
    config.blocks.push_back({.name = "r1", .nodes = "0,\n1\n2\n", .file = "topology.yaml"});
    const auto cluster = Cluster::build_from_yaml(config, {}, 6, resolve, diagnostics_);
    ASSERT_TRUE(cluster);
    EXPECT_EQ(cluster->to_topology_conf(), "BlockName=r1 Nodes=0,1,2\n");
}

TEST_F(ClusterTest, HolesAreNotWritten) {
    Options by_name;
    by_name.aggregation = Aggregation::name;
    const auto cluster =
        read("BlockName=r1 Nodes=0\nBlockName=r3 Nodes=1\nBlockSizes=1,2\n", by_name);
    EXPECT_THAT(names(*cluster), ElementsAre("r1", "", "r3"));
    EXPECT_EQ(cluster->to_topology_conf(),
              "BlockName=r1 Nodes=0\nBlockName=r3 Nodes=1\nBlockSizes=1,2\n");
}

TEST_F(ClusterTest, VerifiedCliquesChangeNothing) {
    for (const CliqueMode mode : {CliqueMode::verify, CliqueMode::off}) {
        const auto cluster = read(two_blocks_, with(mode));
        EXPECT_FALSE(cluster->follows_cliques());
        EXPECT_EQ(cluster->with_cliques(cliques("ababab")).topology().islands(), nullptr);
    }
}

TEST_F(ClusterTest, EnforcedCliquesStayEnforcedWhenMembershipChanges) {
    const auto cluster = read(two_blocks_, with(CliqueMode::enforce));
    EXPECT_EQ(cluster->topology().islands(), nullptr) << "no cliques are known yet";
    const Cluster enforced = cluster->with_cliques(cliques("aabccc"));
    ASSERT_NE(enforced.topology().islands(), nullptr);
    EXPECT_THAT(enforced.topology().islands()->island_of, ElementsAre(0, 0, 1, 0, 0, 0));
    const Cluster moved = enforced.with_node_in(2, no_block);
    EXPECT_THAT(moved.topology().islands()->island_of, ElementsAre(0, 0, no_island, 0, 0, 0));
    EXPECT_THAT(moved.with_block("r3").topology().islands()->island_count, ElementsAre(1, 1, 0));
}

TEST_F(ClusterTest, DerivedBlocksAreTheCliques) {
    const auto cluster = read("BlockSizes=3,6\n", with(CliqueMode::derive));
    ASSERT_TRUE(cluster);
    EXPECT_THAT(findings(), IsEmpty());
    EXPECT_THAT(names(*cluster), IsEmpty());
    const Cluster derived = cluster->with_cliques(cliques("bbb.aa"));
    EXPECT_THAT(names(derived), ElementsAre(uuid + "b.1", uuid + "a.1"));
    EXPECT_EQ(derived.topology().planning_size(), 3U);
    EXPECT_TRUE(derived.is_changed(0)) << "there is no text to show";
    EXPECT_EQ(derived.to_topology_conf(), "BlockSizes=3,6\n");
    EXPECT_THAT(names(derived.with_cliques(cliques("cccccc"))), ElementsAre(uuid + "c.1"));
}

TEST_F(ClusterTest, PlannedCliquesAreWholeBlocks) {
    const Cluster enforced =
        read(two_blocks_, with(CliqueMode::enforce))->with_cliques(cliques("aab.c."));
    EXPECT_THAT(enforced.topology_as_planned().islands()->island_of, Each(0));
    EXPECT_EQ(read(two_blocks_, with(CliqueMode::verify))->topology_as_planned().islands(),
              nullptr);
}

TEST_F(ClusterTest, PlannedDerivedBlocksAreConsecutiveNodes) {
    const auto sized = read("BlockSizes=3,6\n", with(CliqueMode::derive));
    const Topology planned = sized->with_cliques(cliques("b.a...")).topology_as_planned();
    EXPECT_EQ(planned.block_count(), 2U);
    EXPECT_EQ(planned.block_of(2), 0U);
    EXPECT_EQ(planned.block_of(3), 1U);
    std::filesystem::remove(path_);
    const auto unsized = read_file(with(CliqueMode::derive));
    EXPECT_EQ(unsized->with_cliques(cliques("aabbcc")).topology_as_planned().planning_size(), 18U);
}

TEST_F(ClusterTest, DerivedBlocksNeedNoFile) {
    std::filesystem::remove(path_);
    const auto cluster = read_file(with(CliqueMode::derive));
    ASSERT_TRUE(cluster);
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("there is no such file")));
    EXPECT_EQ(cluster->with_cliques(cliques("aaaabb")).topology().planning_size(), 4U);
    EXPECT_EQ(cluster->with_cliques(cliques("......")).topology().planning_size(), 18U);
}

TEST_F(ClusterTest, BlockLinesOfDerivedBlocksAreAWarning) {
    const auto cluster = read(two_blocks_, with(CliqueMode::derive));
    ASSERT_TRUE(cluster);
    EXPECT_THAT(names(*cluster), IsEmpty());
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("2 BlockName lines are ignored")));
    EXPECT_EQ(diagnostics_.front().severity, Severity::warning);
}

TEST_F(ClusterTest, TheBlocksOfATopologyYamlAreNotDerived) {
    TopologyConfig config;
    config.blocks.push_back({.name = "r1", .nodes = "0,1", .file = "topology.yaml"});
    config.block_sizes = {2};
    const auto cluster =
        Cluster::build_from_yaml(config, with(CliqueMode::derive), 6, resolve, diagnostics_);
    ASSERT_TRUE(cluster);
    EXPECT_EQ(cluster->clique_mode(), CliqueMode::verify);
    EXPECT_THAT(names(*cluster), ElementsAre("r1"));
}

}  // namespace
}  // namespace nvl72block
