// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clique_racks.hpp"

namespace nvl72block {
namespace {

using testing::clique_map;
using ::testing::ElementsAre;
using testing::FeatureRuns;
using ::testing::IsEmpty;
using testing::racks;
using testing::uuid_a;
using testing::uuid_b;
using testing::zero_uuid;

struct Told {
    std::vector<std::string> findings;
    std::string summary;
};

Told compare(const Topology& topology, const FeatureRuns& runs) {
    const CliqueMap cliques = clique_map(runs);
    std::vector<std::string> names;
    for (NodeIndex node = 0; node < topology.node_count(); ++node)
        names.push_back("n" + std::to_string(node));
    const CliqueReport report = compare_cliques(topology, cliques);
    Told told;
    for (const CliqueFinding& finding : report.findings)
        told.findings.push_back(
            sentence(finding, topology, cliques, [&](NodeIndex node) { return names[node]; }));
    told.summary = summary(report);
    return told;
}

TEST(CompareCliques, AgreementIsNoFinding) {
    const Told told = compare(racks(3, 2), {{3, uuid_a + ".32766"}, {3, uuid_b + ".32766"}});
    EXPECT_THAT(told.findings, IsEmpty());
    EXPECT_EQ(told.summary,
              "2 of 2 blocks agree with 2 cliques, 6 nodes with a clique; nothing to report");
}

TEST(CompareCliques, ASiteWithoutCliquesHasNoFindings) {
    const Told told = compare(racks(2, 2), {{4, "gpu"}});
    EXPECT_THAT(told.findings, IsEmpty());
    EXPECT_EQ(told.summary,
              "0 of 2 blocks agree with 0 cliques, 0 nodes with a clique; nothing to report");
}

TEST(CompareCliques, ABlockWithSeveralCliques) {
    const Told told = compare(racks(4, 1), {{2, uuid_a + ".1"}, {2, uuid_a + ".2"}});
    EXPECT_THAT(told.findings, ElementsAre("block b0 holds 2 cliques: 2 nodes of " + uuid_a +
                                           ".1 (n[0-1]), 2 nodes of " + uuid_a + ".2 (n[2-3])"));
    EXPECT_EQ(told.summary, "0 of 1 block agree with 2 cliques, 4 nodes with a clique; 1 finding");
}

TEST(CompareCliques, SwappedCablesAreFoundFromBothSides) {
    const Told told =
        compare(racks(3, 2),
                {{2, uuid_a + ".1"}, {1, uuid_b + ".1"}, {1, uuid_a + ".1"}, {2, uuid_b + ".1"}});
    const std::string a = uuid_a + ".1";
    const std::string b = uuid_b + ".1";
    EXPECT_THAT(
        told.findings,
        ElementsAre(
            "block b0 holds 2 cliques: 2 nodes of " + a + " (n[0-1]), 1 node of " + b + " (n2)",
            "block b1 holds 2 cliques: 1 node of " + a + " (n3), 2 nodes of " + b + " (n[4-5])",
            "clique " + a + " spans 2 blocks: 2 nodes in b0 (n[0-1]), 1 node in b1 (n3)",
            "clique " + b + " spans 2 blocks: 1 node in b0 (n2), 2 nodes in b1 (n[4-5])"));
    EXPECT_EQ(told.summary,
              "0 of 2 blocks agree with 2 cliques, 6 nodes with a clique; 4 findings");
}

TEST(CompareCliques, NodesWithoutAClique) {
    const Told told = compare(racks(3, 2), {{2, uuid_a + ".1"}, {4, ""}});
    EXPECT_THAT(told.findings, ElementsAre("block b0: 1 of 3 nodes name no clique: n2",
                                           "block b1: 3 of 3 nodes name no clique: n[3-5]"));
}

TEST(CompareCliques, NodesOfACliqueInNoBlock) {
    const Told told =
        compare(racks(2, 1, 3), {{2, uuid_a + ".1"}, {2, uuid_b + ".1"}, {1, "login"}});
    EXPECT_THAT(told.findings, ElementsAre("clique " + uuid_b + ".1: 2 nodes in no block: n[2-3]"));
    EXPECT_EQ(told.summary, "1 of 1 block agree with 2 cliques, 4 nodes with a clique; 1 finding");
}

TEST(CompareCliques, ABlockThatIsPartOfACliqueDoesNotAgree) {
    const Told told = compare(racks(2, 1, 1), {{3, uuid_a + ".1"}});
    EXPECT_EQ(told.summary, "0 of 1 block agree with 1 clique, 3 nodes with a clique; 1 finding");
}

TEST(CompareCliques, InvalidOnesAreGroupedByWhatIsWrong) {
    const Told told = compare(
        racks(5, 1),
        {{2, zero_uuid + ".0"}, {1, "CliqueId_\n5"}, {1, zero_uuid + ".0"}, {1, uuid_a + ".1"}});
    EXPECT_THAT(told.findings,
                ElementsAre("3 nodes with an invalid clique, the ClusterUUID is all zero (\"" +
                                zero_uuid + ".0\"): n[0-1,3]",
                            "1 node with an invalid clique, the CliqueId is not a number "
                            "(\"CliqueId_\\x0a5\"): n2"));
}

TEST(CompareCliques, LongFindingsAreCutAndCounted) {
    FeatureRuns runs;
    for (int id = 1; id <= 12; ++id) runs.emplace_back(1, uuid_a + "." + std::to_string(id));
    const Told told = compare(racks(12, 1), runs);
    ASSERT_EQ(told.findings.size(), 1U);
    EXPECT_THAT(told.findings[0], ::testing::StartsWith("block b0 holds 12 cliques: "));
    EXPECT_THAT(told.findings[0], ::testing::EndsWith(".8 (n7) and 4 more"));

    FeatureRuns holes;  // every second of 200 nodes: a list that ranges cannot shorten
    for (int i = 0; i < 100; ++i) holes.insert(holes.end(), {{1, uuid_a + ".1"}, {1, ""}});
    const Told cut = compare(racks(200, 1), holes);
    ASSERT_EQ(cut.findings.size(), 1U);
    EXPECT_THAT(cut.findings[0],
                ::testing::StartsWith("block b0: 100 of 200 nodes name no clique: n[1,3,5,"));
    EXPECT_THAT(cut.findings[0], ::testing::EndsWith("..."));
    EXPECT_LT(cut.findings[0].size(), 300U);
}

TEST(CompareCliques, KindsForMachines) {
    EXPECT_STREQ(to_string(CliqueFindingKind::several_cliques), "several_cliques");
    EXPECT_STREQ(to_string(CliqueFindingKind::several_blocks), "several_blocks");
    EXPECT_STREQ(to_string(CliqueFindingKind::without_clique), "without_clique");
    EXPECT_STREQ(to_string(CliqueFindingKind::outside_blocks), "outside_blocks");
    EXPECT_STREQ(to_string(CliqueFindingKind::invalid), "invalid");
}

}  // namespace
}  // namespace nvl72block
