// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::HasSubstr;

const std::string uuid = "b78ed242-7b98-426f-b194-b76b8899f4e";

std::string read(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

class GenerateCommand : public CommandTest {
  protected:
    [[nodiscard]] Result generate(const std::string& features,
                                  std::vector<std::string> options = {}) const {
        options.insert(options.begin(),
                       {"generate", "--features", folder_.file("features", features)});
        return run_command(options);
    }
};

TEST_F(GenerateCommand, FromNothing) {
    const Result result =
        generate("n[1-4] " + uuid + "a.32766\nn[5-8] " + uuid + "b.32766\nn[9-10] " + uuid +
                 "c.1\nlogin1 cpu\nn11 CliqueId_1\n");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out,
              "# One block per NVLink clique: 3 cliques, 10 nodes with a clique.\n"
              "# BlockSizes: 2 of 3 blocks have 4 nodes, so jobs are planned with that;\n"
              "# the larger sizes join 2, 4 blocks that follow each other.\n"
              "# 1 node in no block, no feature names a clique: login1\n"
              "# 1 node in no block, a CliqueId without a ClusterUUID: n11\n"
              "# block001=" +
                  uuid +
                  "a.32766\n"
                  "BlockName=block001 Nodes=n[1-4]\n"
                  "# block002=" +
                  uuid +
                  "b.32766\n"
                  "BlockName=block002 Nodes=n[5-8]\n"
                  "# block003=" +
                  uuid +
                  "c.1\n"
                  "BlockName=block003 Nodes=n[9-10]\n"
                  "BlockSizes=4,8,16\n"
                  "# For the nodes' lines in slurm.conf:\n"
                  "# NodeName=n[1-4] Feature=" +
                  uuid +
                  "a.32766\n"
                  "# NodeName=n[5-8] Feature=" +
                  uuid +
                  "b.32766\n"
                  "# NodeName=n[9-10] Feature=" +
                  uuid + "c.1\n");
}

TEST_F(GenerateCommand, OneCliqueNeedsOneSize) {
    const Result result = generate("n[1-4] " + uuid + "a.1\n");
    EXPECT_THAT(result.out,
                HasSubstr("# BlockSizes: 1 of 1 block have 4 nodes, so jobs are planned "
                          "with that.\n"));
    EXPECT_THAT(result.out, HasSubstr("\nBlockSizes=4\n"));
}

TEST_F(GenerateCommand, IntoFilesThatCheckFindsNothingIn) {
    const std::string conf = folder_.path() + "/generated.conf";
    const std::string features = folder_.path() + "/features.conf";
    const std::string inventory = "n[1-4] p-" + uuid + "a.1\nn[5-8] p-" + uuid + "b.1\n";
    const Result result =
        generate(inventory, {"--clique-prefix=p-", "--output", conf, "--slurm-conf", features});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(read(features), "NodeName=n[1-4] Feature=p-" + uuid +
                                  "a.1\nNodeName=n[5-8] Feature=p-" + uuid + "b.1\n");
    const Result check = run_command({"check", "--topology", conf, "--features",
                                      folder_.path() + "/features", "--clique-prefix=p-"});
    EXPECT_EQ(check.status, 0) << check.out << check.err;
}

TEST_F(GenerateCommand, AnExistingFileKeepsItsNamesOrderAndSizes) {
    write_topology(
        "BlockName=east07 Nodes=n[5-8]\nBlockName=west03 Nodes=n[1-4]\nBlockName=east09 "
        "Nodes=n[9-10]\nBlockSizes=4,8\n");
    // n4 and n5 have swapped their cables; n[9-10] say nothing; n[11-12] are new.
    const std::string inventory = "n[1-3,5] " + uuid + "a.1\nn[4,6-8] " + uuid +
                                  "b.1\nn[9-10] x\n" + "n[11-12] " + uuid + "c.1\n";
    const Result result = generate(inventory, {"--topology", topology_, "--changes"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_EQ(result.out,
              "-BlockName=east07 Nodes=n[5-8]\n"
              "+BlockName=east07 Nodes=n[4,6-8]\n"
              "-BlockName=west03 Nodes=n[1-4]\n"
              "+BlockName=west03 Nodes=n[1-3,5]\n"
              "+BlockName=east10 Nodes=n[11-12]\n");
    const Result whole = generate(inventory, {"--topology", topology_});
    EXPECT_EQ(whole.status, 0);
    EXPECT_EQ(whole.err, result.out) << "the changes go to the other stream";
    EXPECT_THAT(
        whole.out,
        HasSubstr("# BlockSizes: 2 of 4 blocks have 4 nodes, the planning size.\n# east07=" + uuid +
                  "b.1\n"
                  "BlockName=east07 Nodes=n[4,6-8]\n"
                  "# west03=" +
                  uuid +
                  "a.1\n"
                  "BlockName=west03 Nodes=n[1-3,5]\n"
                  "# east09 has no clique\n"
                  "BlockName=east09 Nodes=n[9-10]\n"
                  "# east10=" +
                  uuid +
                  "c.1\n"
                  "BlockName=east10 Nodes=n[11-12]\nBlockSizes=4,8\n"));
}

TEST_F(GenerateCommand, NothingChanges) {
    write_topology("BlockName=a Nodes=n[1-4]\nBlockSizes=4\n");
    const Result result =
        generate("n[1-4] " + uuid + "a.1\n", {"--topology", topology_, "--changes"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out, topology_ + ": no changes\n");
}

/// A fabric without a valid clique was written as "BlockSizes=", which no plugin reads, where the
/// existing file has no BlockSizes.
TEST_F(GenerateCommand, AnExistingFileIsNotReplacedWhereNoCliqueIsValid) {
    write_topology("BlockName=a Nodes=n[1-4]\nBlockName=b Nodes=n[5-8]\n");
    const std::vector<std::vector<std::string>> cases{
        {"--topology", topology_, "--output", topology_}, {"--topology", topology_, "--changes"}};
    for (const std::vector<std::string>& options : cases) {
        const Result result = generate("n[1-8] 00000000-0000-0000-0000-000000000000.0\n", options);
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err,
                  "--features: no node names a valid clique: 8 nodes, the ClusterUUID is all zero: "
                  "n[1-8]; correct the features or the fabric\n");
    }
    EXPECT_EQ(read(topology_), "BlockName=a Nodes=n[1-4]\nBlockName=b Nodes=n[5-8]\n");
}

TEST_F(GenerateCommand, WrongInput) {
    EXPECT_EQ(
        generate("n1 " + uuid + "a.1", {"--changes"}).err,
        "--changes: needs an existing topology.conf to compare with; pass it with --topology\n");
    EXPECT_EQ(generate("n1 CliqueId_1").err,
              "--features: no node names a valid clique: 1 node, a CliqueId without a "
              "ClusterUUID: n1; correct the features or the fabric\n");
    EXPECT_THAT(generate("n1 " + uuid + "a.1", {"--topology=x", "--changes", "--output=y"}).err,
                HasSubstr("--output excludes --changes"));
    const Result unwritable = generate("n1 " + uuid + "a.1", {"--output", "/does/not/exist"});
    EXPECT_EQ(unwritable.status, 2);
    EXPECT_THAT(unwritable.err, HasSubstr("--output: \"/does/not/exist\" cannot be written: "));
}

}  // namespace
}  // namespace nvl72block::cli
