// SPDX-License-Identifier: GPL-2.0-or-later
//
// `plan` with cliques: --features, --clique, --aggregate.
#include <gmock/gmock.h>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string uuid = "b78ed242-7b98-426f-b194-b76b8899f4e";

class CliqueSiteTest : public CommandTest {
  protected:
    CliqueSiteTest() {
        site("BlockName=r1 Nodes=n[1-4]\nBlockName=r2 Nodes=n[5-8]\nBlockSizes=4\n");
        // r1 is two NVLink partitions, r2 is one.
        features_ = folder_.file(
            "features", "n[1-2] " + uuid + "a.1\nn[3-4] " + uuid + "a.2\nn[5-8] " + uuid + "b.1\n");
    }
    [[nodiscard]] Result plan_with(std::vector<std::string> options) const {
        options.insert(options.end(), {"--features", features_});
        return plan(options);
    }
    std::string features_;
};

TEST_F(CliqueSiteTest, VerifyNotesAndChangesNothing) {
    const Result result = plan_with({"--nodes=4", "--segment=4", "--busy=n[5-8]"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err,
              "note: 1 of 2 blocks agree with 3 cliques, 8 nodes with a clique; 1 finding; "
              "nvl72block check lists them\n");
}

TEST_F(CliqueSiteTest, EnforceKeepsSegmentsInOneClique) {
    EXPECT_EQ(plan_with({"--clique=enforce", "--nodes=4", "--segment=2", "--busy=n[5-8]"}).status,
              0);
    const Result refused =
        plan_with({"--clique=enforce", "--nodes=4", "--segment=4", "--busy=n[5-8]"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.out, HasSubstr("NVLink cliques are enforced"));
    EXPECT_EQ(plan_with({"--clique=enforce", "--nodes=4", "--segment=4"}).status, 0);
}

TEST_F(CliqueSiteTest, DeriveNeedsNoBlockLine) {
    site("BlockSizes=2,4\n");
    const Result result = plan_with({"--clique=derive", "--nodes=2", "--nodelist=n3", "--json"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("\"" + uuid + "a.2\""));
    EXPECT_EQ(plan({"--nodes=2"}).status, 2) << "without cliques there are no blocks";
}

// Derived blocks were built twice, in slurmctld and in this command, and had come apart: the
// command said nothing of BlockName lines that count no more, where slurmctld warns.
TEST_F(CliqueSiteTest, DeriveWarnsOfBlockLinesAsSlurmctldDoes) {
    const Result result = plan_with({"--clique=derive", "--nodes=4"});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.err,
                AllOf(StartsWith("warning: "), HasSubstr("topology.conf:1: 2 BlockName lines ")));
}

// Without a valid clique and BlockSizes the command planned with blocks of 1 node and slurmctld
// with 18, those of an NVL72 rack.
TEST_F(CliqueSiteTest, DeriveWithoutAValidCliquePlansAsSlurmctldDoes) {
    site("# no BlockSizes\n");
    const std::string invalid = folder_.file("invalid", "n[1-4] CliqueId_1\n");
    const Result result = plan({"--clique=derive", "--features", invalid, "--nodes=2"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(plan({"--clique=derive", "--features", invalid, "--nodes=2", "--segment=2"}).out,
                HasSubstr("needs 2 nodes in one block of 18; "));
}

// slurmctld reads no BlockSizes from a topology.conf that does not exist; the command gave up.
TEST_F(CliqueSiteTest, DeriveNeedsNoFile) {
    topology_ = folder_.path() + "/none.conf";
    const Result result = plan_with({"--clique=derive", "--nodes=4"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("note: none.conf: there is no such file"));
    EXPECT_EQ(plan_with({"--clique=enforce", "--nodes=4"}).status, 2);
}

TEST_F(CliqueSiteTest, AggregateByName) {
    site(
        "BlockName=r1 Nodes=n[1-2]\nBlockName=r3 Nodes=n[5-6]\nBlockName=r4 Nodes=n[7-8]\n"
        "BlockSizes=2,4\n");
    const std::vector<std::string> pair_of_r3 = {"--nodes=4", "--nodelist=n5", "--busy=n[7-8]"};
    EXPECT_EQ(plan(pair_of_r3).status, 0) << "by position r1 and r3 are a pair";
    std::vector<std::string> by_name = pair_of_r3;
    by_name.emplace_back("--aggregate=name");
    EXPECT_EQ(plan(by_name).status, 1) << "by name r3 and r4 are";
    site("BlockName=r1 Nodes=n[1-2]\nBlockName=spare Nodes=n[5-6]\nBlockSizes=2,4\n");
    const Result mixed = plan({"--nodes=1", "--aggregate=name"});
    EXPECT_EQ(mixed.status, 0);
    EXPECT_THAT(mixed.err, HasSubstr("warning: "));
    EXPECT_THAT(mixed.err, HasSubstr("BlockName=spare does not end with a number, so the blocks "
                                     "are aggregated by position"));
}

TEST_F(CliqueSiteTest, WrongWords) {
    EXPECT_EQ(plan({"--nodes=1", "--clique=derive"}).err,
              "--clique: derive needs the nodes' cliques; name their source with --features\n");
    EXPECT_EQ(plan_with({"--nodes=1", "--clique=perhaps"}).err,
              "--clique: \"perhaps\" is unknown; write verify, enforce or derive\n");
    EXPECT_EQ(plan({"--nodes=1", "--aggregate=colour"}).err,
              "--aggregate: \"colour\" is unknown; write position or name\n");
}

}  // namespace
}  // namespace nvl72block::cli
