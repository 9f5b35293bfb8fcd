// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string a = "b78ed242-7b98-426f-b194-b76b8899f4ea.32766";
const std::string b = "b78ed242-7b98-426f-b194-b76b8899f4eb.32766";

class CheckCommand : public CommandTest {
  protected:
    CheckCommand() { site("BlockName=r1 Nodes=n[1-2]\nBlockName=r2 Nodes=n[3-4]\nBlockSizes=2\n"); }
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
              "2 of 2 blocks agree with 2 cliques, 4 nodes with a clique; nothing to report\n");
    EXPECT_EQ(result.err, "");
}

TEST_F(CheckCommand, FindingsAreStatusOne) {
    const Result result = check("n1 " + a + "\nn[2-4] " + b + "\n");
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out,
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
                               "/none: the file cannot be read; name a file that "
                               "exists and can be read\n");
    EXPECT_EQ(command("check", {}).status, 2);
}

}  // namespace
}  // namespace nvl72block::cli
