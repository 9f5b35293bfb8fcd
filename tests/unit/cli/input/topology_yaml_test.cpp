// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "cli/input/topology_file.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string racks =
    "- topology: racks\n"
    "  cluster_default: true\n"
    "  block:\n"
    "    block_sizes:\n"
    "      - 2\n"
    "      - 4\n"
    "    blocks:\n"
    "      - block: r1\n"
    "        nodes: n[1-2]\n"
    "      - block: r2\n"
    "        nodes: n[3-4]\n";

/// What parse_topology_yaml() says about `text`.
std::vector<std::string> findings(const std::string& text) {
    Diagnostics diagnostics;
    const auto topologies = parse_topology_yaml(text, "t.yaml", diagnostics);
    EXPECT_EQ(topologies.empty(), has_error(diagnostics)) << text;
    std::vector<std::string> all;
    for (const Diagnostic& each : diagnostics) all.push_back(to_string(each));
    return all;
}

TEST(TopologyYaml, TheDefaultTopologyComesFirst) {
    Diagnostics diagnostics;
    const auto topologies =
        parse_topology_yaml("- topology: all\n  flat: true\n" + racks, "t.yaml", diagnostics);
    EXPECT_THAT(diagnostics, IsEmpty());
    ASSERT_THAT(topologies, SizeIs(2));
    EXPECT_EQ(topologies[0].name, "racks");
    EXPECT_TRUE(topologies[0].is_default);
    EXPECT_THAT(topologies[0].config.block_sizes, ElementsAre(2, 4));
    ASSERT_THAT(topologies[0].config.blocks, SizeIs(2));
    EXPECT_EQ(topologies[0].config.blocks[1].name, "r2");
    EXPECT_EQ(topologies[0].config.blocks[1].nodes, "n[3-4]");
    EXPECT_EQ(topologies[0].config.blocks[1].line, 12U);
    EXPECT_EQ(topologies[1].kind, "flat");
}

TEST(TopologyYaml, OneTopologyOneBlockAndOneSizeNeedNoList) {
    Diagnostics diagnostics;
    const auto topologies = parse_topology_yaml(
        "topology: t\nblock:\n  block_sizes: 0x2\n  blocks: {block: b, nodes: \"n[1-2]\"}\n",
        "t.yaml", diagnostics);
    ASSERT_THAT(topologies, SizeIs(1));
    EXPECT_THAT(topologies[0].config.block_sizes, ElementsAre(2));
    EXPECT_EQ(topologies[0].config.blocks[0].nodes, "n[1-2]");
}

TEST(TopologyYaml, WhatSlurmsReaderRefusesIsNamedWithLineAndRemedy) {
    EXPECT_THAT(findings("words\n"),
                ElementsAre("t.yaml:1: the file is a text instead of a list; write a list of "
                            "topologies"));
    EXPECT_THAT(findings("- topology: t\n"),
                ElementsAre("t.yaml:1: topology t is of no kind; write block: with block_sizes: "
                            "and blocks: below it"));
    EXPECT_THAT(findings("- topology: t\n  cluster_default: [true]\n  flat: on\n"),
                ElementsAre("t.yaml:2: cluster_default is a list instead of a text; write "
                            "cluster_default: true or cluster_default: false"));
    EXPECT_THAT(findings("- topology: t\n  flat: true\n  tree:\n    switches: []\n"),
                ElementsAre("t.yaml:4: topology t is flat and tree; give each topology one kind"));
    EXPECT_THAT(findings("- topology: t\n  block: 18\n"),
                ElementsAre("t.yaml:2: block is a text instead of a group of keys; write "
                            "block_sizes: and blocks: below it"));
    EXPECT_THAT(findings("- topology: t\n  block:\n    block_sizes: [18, \"18,36\"]\n"),
                ElementsAre("t.yaml:3: block size 18,36 is not a number of nodes; write one - "
                            "NUMBER for each size"));
    EXPECT_THAT(findings("- block:\n    blocks:\n      - nodes: n1\n"),
                ElementsAre("t.yaml:3: block 1 has no name; write block: NAME"));
    EXPECT_THAT(findings("- block:\n    blocks:\n      - block: b\n        nodes: [n1, n2]\n"),
                ElementsAre("t.yaml:4: nodes is a list instead of a text; write nodes: TEXT"));
}

TEST(TopologyYaml, WhatSlurmIgnoresIsAWarning) {
    EXPECT_THAT(findings("- topology: t\n  block:\n    blocksizes: [2]\n    blocks:\n"
                         "      - block: b\n        node: n1\n"),
                ElementsAre("t.yaml:3: blocksizes is not known here, and Slurm ignores it; correct "
                            "the key or remove it",
                            "t.yaml:6: node is not known here, and Slurm ignores it; correct the "
                            "key or remove it"));
}

/// Any word is a yes for Slurm but those for a no; slurmctld 26.05.3 loaded such a file.
TEST(TopologyYaml, WordsThatAreNeitherTrueNorFalse) {
    EXPECT_THAT(findings("- topology: t\n  cluster_default: perhaps\n  flat: true\n"),
                ElementsAre("t.yaml:2: cluster_default: perhaps means true; write cluster_default: "
                            "true or cluster_default: false"));
    for (const char* no : {"no", "False", "OFF", "0", "0.0", "null", "~", ""})
        EXPECT_THAT(findings(std::string("- topology: t\n  flat: ") + no + "\n"),
                    ElementsAre("t.yaml:1: topology t is of no kind; write block: with "
                                "block_sizes: and blocks: below it"))
            << no;
}

TEST(TopologyYaml, NegativeSizesReachTheChecksOfTheEngine) {
    Diagnostics diagnostics;
    const auto topologies =
        parse_topology_yaml("- block:\n    block_sizes: -18\n    blocks: {block: b, nodes: n1}\n",
                            "t.yaml", diagnostics);
    ASSERT_THAT(topologies, SizeIs(1));
    const auto cluster = topologies[0].build(
        {}, 1, [](std::string_view, std::vector<NodeIndex>&, std::string&) { return true; },
        diagnostics);
    EXPECT_FALSE(cluster);
    ASSERT_THAT(diagnostics, SizeIs(1));
    EXPECT_EQ(diagnostics[0].line, 2U);
}

}  // namespace
}  // namespace nvl72block::cli
