// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/known_cluster.hpp"

#include <gmock/gmock.h>

namespace nvl72block::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

struct Resolved {
    bool ok = false;
    std::vector<NodeIndex> nodes;
    std::string said;
};

class KnownClusterTest : public testing::Test {
  protected:
    KnownClusterTest() {
        known_.complete = true;
        known_.names = {"n1", "n2", "n3"};
        known_.features = {{"n1", "a,b"}, {"n2", "a"}, {"n3", ""}};
    }
    [[nodiscard]] Resolved resolve(const std::string& text) const {
        const NodeTable table(known_.names);
        Resolved result;
        result.ok = resolver_of(known_, table)(text, result.nodes, result.said);
        return result;
    }

    KnownCluster known_;
};

TEST_F(KnownClusterTest, ListsAllAndFeatures) {
    EXPECT_THAT(resolve("n[1-2]").nodes, ElementsAre(0, 1));
    EXPECT_THAT(resolve("all").nodes, ElementsAre(0, 1, 2));
    EXPECT_THAT(resolve("n3,feature{a}").nodes, UnorderedElementsAre(0, 1, 2));
    EXPECT_THAT(resolve("feature{b}").nodes, ElementsAre(0));
}

TEST_F(KnownClusterTest, WhatThePluginRefuses) {
    EXPECT_EQ(resolve("n[1-4]").said, "slurm.conf has no node named n4");
    EXPECT_FALSE(resolve("n[1-4]").ok);
    EXPECT_EQ(resolve("feature{c}").said, "no node matches feature{c}");
    EXPECT_FALSE(resolve("feature{c}").ok);
    EXPECT_FALSE(resolve("n[1").ok);
}

/// slurmctld loads what check called a mistake: "slurm.conf has no node named rack".
TEST_F(KnownClusterTest, NodeSets) {
    known_.sets = {{"rack1", "n[1-2]"}, {"rack2", "n3,feature{b}"}, {"odd", "rack1"}};
    EXPECT_THAT(resolve("rack1").nodes, ElementsAre(0, 1));
    EXPECT_THAT(resolve("rack[1-2]").nodes, ElementsAre(0, 1, 2, 0));
    EXPECT_EQ(resolve("rack3").said, "slurm.conf has no node named rack3");
    EXPECT_EQ(resolve("odd").said, "slurm.conf has no node named rack1");
}

/// MaxNodeCount= leaves room: a name without a node is the plugin's warning.
TEST_F(KnownClusterTest, NodesThatCanStillBeCreated) {
    known_.grows = true;
    const Resolved result = resolve("n[3-5]");
    EXPECT_TRUE(result.ok);
    EXPECT_THAT(result.nodes, ElementsAre(2));
    EXPECT_EQ(result.said, "2 node names that no node has yet: n[4-5]");
}

TEST_F(KnownClusterTest, ListsOfFeatures) {
    known_.features = {{"n1", "a1"}, {"n2", "a2"}, {"n3", "a3"}};
    EXPECT_THAT(resolve("feature{a[2-3]}").nodes, UnorderedElementsAre(1, 2));
}

/// Functions of blocks are refused before they are resolved (check_nodes_text).
TEST_F(KnownClusterTest, AFeatureWithoutNodesBesideNodesIsAWarning) {
    EXPECT_FALSE(resolve("block{r1}").ok);
    const Resolved result = resolve("n1,feature{c}");
    EXPECT_TRUE(result.ok);
    EXPECT_THAT(result.nodes, ElementsAre(0));
    EXPECT_EQ(result.said, "feature{c} names no node when the file is read");
}

TEST_F(KnownClusterTest, WithoutFeaturesTheirFunctionIsNotChecked) {
    known_.features.clear();
    const Resolved result = resolve("feature{a}");
    EXPECT_TRUE(result.ok);
    EXPECT_EQ(result.said, "only slurmctld can resolve feature{a}, which is not checked");
}

}  // namespace
}  // namespace nvl72block::cli
