// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/topology_file.hpp"

#include <gmock/gmock.h>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(TopologyFile, TheNameTellsTheFormat) {
    const Folder folder;
    Diagnostics diagnostics;
    const std::string conf = folder.file("topology.conf", "BlockName=b Nodes=n1\n");
    const std::string yaml =
        folder.file("topology.yaml", "block:\n  blocks: {block: b, nodes: n1}\n");
    const auto of_conf = read_topology_file(conf, {}, diagnostics);
    const auto of_yaml = read_topology_file(yaml, {}, diagnostics);
    EXPECT_THAT(diagnostics, IsEmpty());
    ASSERT_THAT(of_conf, SizeIs(1));
    EXPECT_FALSE(of_conf[0].from_yaml);
    ASSERT_THAT(of_yaml, SizeIs(1));
    EXPECT_TRUE(of_yaml[0].from_yaml);
}

TEST(TopologyFile, WhatCannotBeReadIsAFinding) {
    const Folder folder;
    Diagnostics diagnostics;
    EXPECT_THAT(read_topology_file(folder.path() + "/none.yaml", {}, diagnostics), IsEmpty());
    EXPECT_THAT(read_topology_file(folder.path() + "/none.conf", {}, diagnostics), IsEmpty());
    ASSERT_THAT(diagnostics, SizeIs(2));
    EXPECT_THAT(to_string(diagnostics[0]),
                HasSubstr("/none.yaml: cannot be read: No such file or directory; check"));
    EXPECT_THAT(to_string(diagnostics[1]), HasSubstr("/none.conf: cannot be read"));
}

/// In topology.yaml, Nvl72Clique=derive works as verify: the blocks are those of the file.
TEST(TopologyFile, YamlHasItsBlocksWithDeriveToo) {
    const Folder folder;
    Diagnostics diagnostics;
    Options options;
    options.cliques = CliqueMode::derive;
    const auto topologies = read_topology_file(
        folder.file("topology.yaml", "block:\n  blocks: {block: b, nodes: n1}\n"), options,
        diagnostics);
    ASSERT_THAT(topologies, SizeIs(1));
    const auto cluster = topologies[0].build(
        options, 1,
        [](std::string_view, std::vector<NodeIndex>& nodes, std::string&) {
            nodes.push_back(0);
            return true;
        },
        diagnostics);
    ASSERT_TRUE(cluster);
    EXPECT_EQ(cluster->topology().block_count(), 1U);
}

/// The other commands read a topology.yaml as they read a topology.conf: its default topology.
TEST(TopologyFile, EveryCommandTakesYaml) {
    const Folder folder;
    const std::string file = folder.file(
        "topology.yaml",
        "- topology: racks\n  block:\n    block_sizes: [2]\n    blocks:\n"
        "      - {block: r1, nodes: \"n[1-2]\"}\n      - {block: r2, nodes: \"n[3-4]\"}\n");
    const Result plan = run_command({"plan", "--topology", file, "--nodes", "2", "--busy", "n1"});
    EXPECT_EQ(plan.status, 0) << plan.err;
    EXPECT_THAT(plan.out, HasSubstr("n[3-4]"));
    const std::string flat = folder.file("flat.yaml", "topology: all\nflat: true\n");
    const Result none = run_command({"show", "--topology", flat});
    EXPECT_EQ(none.status, 2);
    EXPECT_EQ(none.err, flat +
                            ": topology all is flat, without blocks; pass a file whose default "
                            "topology has blocks\n");
}

}  // namespace
}  // namespace nvl72block::cli
