// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "../command.hpp"
#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string a = "b78ed242-7b98-426f-b194-b76b8899f4ea.32766";
const std::string b = "b78ed242-7b98-426f-b194-b76b8899f4eb.32766";

class CheckCommand : public CommandTest {
  protected:
    CheckCommand() {
        write_topology("BlockName=r1 Nodes=n[1-2]\nBlockName=r2 Nodes=n[3-4]\nBlockSizes=2\n");
    }
    [[nodiscard]] Result check(const std::string& features,
                               std::vector<std::string> options = {}) const {
        options.insert(options.end(), {"--features", folder_.file("features.txt", features)});
        return command("check", options);
    }
};

TEST_F(CheckCommand, AgreementIsStatusZero) {
    const Result result = check("n[1-2] " + a + "\nn[3-4] gpu," + b + "\nlogin1 cpu\n");
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out,
              topology_ + ": valid: 2 base blocks of 2 nodes with 4 nodes\n" +
                  "2 of 2 blocks agree with 2 cliques, 4 nodes with a clique; nothing to report\n");
    EXPECT_EQ(result.err, "");
}

TEST_F(CheckCommand, FindingsAreStatusOne) {
    const Result result = check("n1 " + a + "\nn[2-4] " + b + "\n");
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out,
              topology_ + ": valid: 2 base blocks of 2 nodes with 4 nodes\n" +
                  "0 of 2 blocks agree with 2 cliques, 4 nodes with a clique; 2 findings\n"
                  "block r1 holds 2 cliques: 1 node of " +
                  a + " (n1), 1 node of " + b + " (n2)\n" + "clique " + b +
                  " spans 2 blocks: 1 node in r1 (n2), 2 nodes in r2 (n[3-4])\n");
}

TEST_F(CheckCommand, NodesOfNoBlockWithACliqueAreAFinding) {
    const Result result = check("n[1-2,9] " + a + "\nn[3-4] " + b + "\n");
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.out, HasSubstr("\nclique " + a + ": 1 node in no block: n9\n"));
    EXPECT_EQ(result.err, "");
}

TEST_F(CheckCommand, NodesThatTheSourceDoesNotKnowAreNoted) {
    const Result result = check("n[1-2] " + a + "\nn3 " + b + "\n");
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "note: --features has no entry for 1 of 4 nodes: n4\n");
    EXPECT_THAT(result.out, HasSubstr("\nblock r2: 1 of 2 nodes name no clique: n4\n"));
}

TEST_F(CheckCommand, Prefix) {
    const std::string features = "n[1-2] fabric-" + a + "\nn[3-4] fabric-" + b + "\n";
    EXPECT_EQ(check(features, {"--clique-prefix", "fabric-"}).status, 0);
    const Result without = check(features);
    EXPECT_EQ(without.status, 2);
    EXPECT_EQ(without.err,
              "--features: none of 4 nodes names a clique; use --clique-prefix if the features "
              "have a prefix before <uuid>.<id>\n");
}

/// The plugin's own option had no effect on the features that were read.
TEST_F(CheckCommand, ThePrefixOfTheOptionsCounts) {
    const std::string features = "n[1-2] fabric-" + a + "\nn[3-4] fabric-" + b + "\n";
    const Result result = check(features, {"--param", "Nvl72CliquePrefix=fabric-"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("2 of 2 blocks agree with 2 cliques"));
    SnapshotText text;
    text.nodes.clear();
    for (unsigned node = 1; node <= 16; ++node)
        text.nodes +=
            node_line(fmt::format("n{:02}", node), "IDLE", 0, "fabric-" + (node <= 4 ? a : b));
    const Folder saved;
    EXPECT_THAT(
        run_command({"check", "--state", text.write(saved), "--param", "Nvl72CliquePrefix=fabric-"})
            .out,
        HasSubstr("2 cliques, 16 nodes with a clique"));
}

TEST_F(CheckCommand, Json) {
    const Result result = check("n1 " + a + "\nn2 " + b + "\nn[3-4] CliqueId_7\n", {"--json"});
    EXPECT_EQ(result.status, 1);
    const nlohmann::json json = result.json();
    EXPECT_EQ(json["blocks"], 2);
    EXPECT_EQ(json["blocks_agreeing"], 0);
    EXPECT_EQ(json["nodes_in_blocks"], 4);
    EXPECT_EQ(json["nodes_with_clique"], 2);
    EXPECT_EQ(json["cliques"], 2);
    ASSERT_EQ(json["findings"].size(), 2U);
    const nlohmann::json& first = json["findings"][0];
    EXPECT_EQ(first["kind"], "several_cliques");
    EXPECT_EQ(first["block"], "r1");
    EXPECT_EQ(first["sentence"],
              "block r1 holds 2 cliques: 1 node of " + a + " (n1), 1 node of " + b + " (n2)");
    EXPECT_EQ(first["groups"][1]["clique"], b);
    EXPECT_EQ(first["groups"][1]["nodes"], "n2");
    const nlohmann::json& second = json["findings"][1];
    EXPECT_EQ(second["kind"], "invalid");
    EXPECT_EQ(second["problem"], "a CliqueId without a ClusterUUID");
    EXPECT_EQ(second["text"], "CliqueId_7");
    EXPECT_EQ(second["groups"][0]["node_count"], 2);
}

TEST_F(CheckCommand, SeveralFilesAndADirectory) {
    const auto gpu = [](const std::string& uuid) {
        return "==============NVSMI LOG==============\nGPU 00000000:01:00.0\n    Fabric\n"
               "        State      : Completed\n        Status     : Success\n"
               "        CliqueId   : 32766\n        ClusterUUID : " +
               uuid + "\n";
    };
    const Folder logs;
    static_cast<void>(logs.file("n3.txt", gpu(b.substr(0, 36))));
    static_cast<void>(logs.file("n4.log", gpu(b.substr(0, 36))));
    const std::string first = folder_.file("first.txt", "n[1-2] " + a + "\n");
    const Result result = command("check", {"--features", first, "--features", logs.path()});
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.status, 0) << result.out;
}

TEST_F(CheckCommand, WrongInputIsStatusTwo) {
    EXPECT_EQ(check("n[1-2 " + a).status, 2);
    EXPECT_THAT(check("n[1-2 " + a).err, HasSubstr("features.txt:1: "));
    const Result missing = command("check", {"--features", folder_.path() + "/none"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_EQ(missing.err, folder_.path() +
                               "/none: cannot be read: No such file or directory; pass a file "
                               "that exists and can be read\n");
}

TEST_F(CheckCommand, AFileAlone) {
    const Result result = command("check", {});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out, topology_ + ": valid: 2 base blocks of 2 nodes with 4 nodes\n");
    EXPECT_EQ(result.err,
              "note: node names are not compared with slurm.conf; pass the nodes with --nodes, or "
              "ask the running cluster with --live\n");
    EXPECT_EQ(command("check", {"--nodes", "n[1-9]"}).err, "");
}

/// Status 2 for what the plugin refuses, every error with file, line and remedy.
TEST_F(CheckCommand, WhatThePluginRefuses) {
    const Result unknown = command("check", {"--nodes", "n[1-3]"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_EQ(unknown.out, "");
    EXPECT_EQ(unknown.err,
              topology_ +
                  ":2: BlockName=r2 Nodes=n[3-4]: slurm.conf has no node named n4; correct the "
                  "name, or define the node in slurm.conf\n");
    write_topology("BlockName=r1 Nodes=n[1-2]\nBlockName=r1 Nodes=n[3-4]\nBlockSizes=2,6\n");
    const Result two = command("check", {"--nodes", "n[1-4]", "--json"});
    EXPECT_EQ(two.status, 2);
    const nlohmann::json json = two.json();
    EXPECT_EQ(json["valid"], false);
    ASSERT_EQ(json["errors"].size(), 2U);
    EXPECT_EQ(json["errors"][0]["file"], topology_);
    EXPECT_EQ(json["errors"][0]["line"], 2);
    EXPECT_THAT(json["errors"][0]["message"].get<std::string>(), HasSubstr("already on line 1"));
    EXPECT_EQ(json["errors"][1]["line"], 3);
    EXPECT_EQ(json["cliques_compared"], false);
}

TEST_F(CheckCommand, YamlWithSeveralTopologies) {
    const std::string text =
        "- topology: halves\n  block:\n    block_sizes: [1]\n    blocks:\n"
        "      - {block: h1, nodes: n1}\n"
        "- topology: racks\n  cluster_default: true\n  block:\n    blocks:\n"
        "      - {block: r1, nodes: \"n[1-2]\"}\n      - {block: r2, nodes: \"n[3-4]\"}\n"
        "- topology: any\n  flat: true\n";
    const std::string file = folder_.file("topology.yaml", text);
    const Result result = run_command({"check", "--topology", file, "--nodes", "n[1-4]"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out,
              file + ": topology racks (default): valid: 2 base blocks of 2 nodes with 4 nodes\n" +
                  file + ": topology halves: valid: 1 base block of 1 node with 1 node\n" + file +
                  ": topology any: flat, without blocks\n");
    // One wrong topology of several is enough.
    const std::string wrong = folder_.file(
        "wrong.yaml",
        text + "- topology: w\n  block:\n    blocks:\n      - {block: w1, nodes: x1}\n");
    const Result refused = run_command({"check", "--topology", wrong, "--nodes", "n[1-4]"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.err, wrong +
                               ":17: BlockName=w1 Nodes=x1: slurm.conf has no node named x1; "
                               "correct the name, or define the node in slurm.conf\n");
    EXPECT_EQ(refused.out, "");
}

TEST_F(CheckCommand, OptionsOfTheClusterMatter) {
    // Two numbers that are one position
    write_topology("BlockName=r1 Nodes=n[1-2]\nBlockName=r01 Nodes=n[3-4]\n");
    const Result result =
        command("check", {"--nodes", "n[1-4]", "--param", "Nvl72Aggregate=name,Nvl72Wrong=1"});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.err, HasSubstr("warning: TopologyParam: Nvl72Wrong is unknown and ignored"));
    EXPECT_THAT(result.err, HasSubstr("warning: " + topology_ +
                                      ":2: BlockName=r1 and BlockName=r01 have the same number"));
}

/// "valid: 0 base blocks of 18 nodes with 0 nodes" although the plugin makes a block of each
/// clique.
TEST_F(CheckCommand, DerivedBlocksAreCounted) {
    write_topology("BlockSizes=2,4\n");
    const std::string features = "n[1-2] " + a + "\nn[3-4] " + b + "\n";
    const Result result = check(features, {"--param", "Nvl72Clique=derive"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out,
              topology_ + ": valid: 2 base blocks of 2 nodes with 4 nodes\n" +
                  "2 of 2 blocks agree with 2 cliques, 4 nodes with a clique; nothing to report\n");
    const Result planned = check(features, {"--param", "Nvl72Clique=derive", "--json"});
    EXPECT_EQ(planned.json()["topologies"],
              nlohmann::json::parse(
                  R"([{"kind":"block","default":true,"base_blocks":2,"block_size":2,"nodes":4}])"));
}

TEST_F(CheckCommand, ASavedClusterHasItsNodesFeaturesAndBlocks) {
    SnapshotText text;
    text.nodes.clear();
    for (unsigned node = 1; node <= 16; ++node)
        text.nodes += node_line(fmt::format("n{:02}", node), "IDLE", 0, node <= 4 ? a : b);
    const Folder saved;
    const Result result = run_command({"check", "--state", text.write(saved)});
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(
        result.out,
        HasSubstr("scontrol show topology: valid: 4 base blocks of 4 nodes with 16 nodes\n"));
    EXPECT_THAT(result.out, HasSubstr("1 of 4 blocks agree"));
    // Another file against the same nodes
    write_topology("BlockName=r1 Nodes=n[01-17]\n");
    const Result file = command("check", {"--state", saved.path()});
    EXPECT_EQ(file.status, 2);
    EXPECT_THAT(file.err, HasSubstr("slurm.conf has no node named n17"));
}

/// A node in state FUTURE is one of slurm.conf, and not one of the cluster in use.
TEST_F(CheckCommand, FutureNodesAreKnown) {
    SnapshotText text;
    text.nodes += node_line("n17", "FUTURE");
    const Folder saved;
    write_topology("BlockName=r1 Nodes=n[01-17]\n");
    const Result result = command("check", {"--state", text.write(saved)});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(run_command({"capacity", "--state", saved.path(), "--json"}).json()["free"]["count"],
              16);
}

TEST_F(CheckCommand, WithRoomForMoreNodesAnUnknownNameIsAWarning) {
    SnapshotText text;
    text.config.insert(1, R"("max_nodes":20,)");
    const Folder saved;
    write_topology("BlockName=r1 Nodes=n[01-17]\n");
    const Result result = command("check", {"--state", text.write(saved)});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.err, HasSubstr("1 node name that no node has yet: n17"));
}

}  // namespace
}  // namespace nvl72block::cli
