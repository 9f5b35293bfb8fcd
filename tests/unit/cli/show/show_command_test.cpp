// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/show_command.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

using nlohmann::json;

constexpr const char* racks_of_four =
    "BlockName=b1 Nodes=n[1-4]\n"
    "BlockName=b2 Nodes=n[5-8]\n"
    "BlockName=b3 Nodes=n[9-12]\n"
    "BlockName=b4 Nodes=n[13-15]\n"
    "BlockSizes=4,8,16\n";

class ShowCommand : public CommandTest {
  protected:
    ShowCommand() { write_topology(racks_of_four); }
};

TEST_F(ShowCommand, DrawsTheMap) {
    const Result result =
        show({"--busy=n1", "--drained=n[2,14]", "--job=4711=n[5-8]", "--job=sweep=n[9,14]"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out,
              "16 8 block  nodes     free     busy  drained\n"
              "/  / b1     #x..         2        1        1\n"
              "|  \\ b2     AAAA         0        4        0\n"
              "|  / b3     B...         3        1        0\n"
              "\\  \\ b4     .X.          2        0        1\n"
              "\n"
              ". free   # busy   x drained   X drained with a job on it\n"
              "A 4711: 4 nodes  n[5-8]\n"
              "B sweep: 2 nodes  n[9,14]\n"
              "\n"
              "15 nodes: 7 free, 6 busy, 2 drained\n"
              "whole blocks: 0 of 4 of size 4, 0 of 2 of size 8, 0 of 1 of size 16\n"
              "largest job without segments that fits now: 5 nodes\n"
              "idle segments, size x count:  1 x 7  2 x 3  4 x 0  8 x 0  16 x 0\n"
              "fragmentation: 28 in usable sizes, 56 as Slurm's topology/block computes it\n");
}

TEST_F(ShowCommand, PrintsTheSameAsJson) {
    const json cluster = show({"--busy=n1", "--drained=n2", "--job=4711=n[5-8]", "--json"}).json();
    EXPECT_EQ(cluster["nodes"],
              json::parse(R"({"total":15,"free":9,"busy":5,"drained":1,"reserved":0})"));
    ASSERT_EQ(cluster["blocks"].size(), 4U);
    EXPECT_EQ(cluster["blocks"][0]["name"], "b1");
    EXPECT_EQ(cluster["blocks"][0]["map"], "#x..");
    EXPECT_EQ(cluster["blocks"][1]["nodes"], "n[5-8]");
    EXPECT_EQ(cluster["jobs"][0], json::parse(R"({"name":"4711","glyph":"A","nodes":"n[5-8]"})"));
    EXPECT_EQ(cluster["levels"][0], json::parse(R"({"block_size":4,"blocks":4,"whole":1})"));
    EXPECT_EQ(cluster["idle_segments"][2], json::parse(R"({"size":4,"count":1})"));
    EXPECT_EQ(cluster["outside"]["total"], 0);
    EXPECT_TRUE(cluster["fragmentation"]["usable"].is_number());
}

TEST_F(ShowCommand, CountsAnEmptyCluster) {
    const json cluster = show({"--json"}).json();
    EXPECT_EQ(cluster["levels"][0]["whole"], 3);  // b4 has three nodes of the planned four
    EXPECT_EQ(cluster["levels"][1]["whole"], 1);
    EXPECT_EQ(cluster["levels"][2]["whole"], 0);
    EXPECT_EQ(cluster["largest_job"], 15);
    EXPECT_EQ(cluster["idle_segments"][0]["count"], 15);
    EXPECT_EQ(cluster["idle_segments"][1]["count"], 7);
}

TEST_F(ShowCommand, CountsAFullCluster) {
    const json cluster = show({"--busy=n[1-15]", "--json"}).json();
    EXPECT_EQ(cluster["largest_job"], 0);
    for (const json& idle : cluster["idle_segments"]) EXPECT_EQ(idle["count"], 0);
}

TEST_F(ShowCommand, ShowsNodesInNoBlock) {
    const Result result = show({"--job=x=login[1-2]"});
    EXPECT_NE(result.out.find("(no block)  AA "), std::string::npos) << result.out;
    EXPECT_NE(result.err.find("login[1-2] are in no block"), std::string::npos);
}

TEST_F(ShowCommand, MarksNodesOfSeveralJobs) {
    const Result result = show({"--job=x=n[1-2]", "--job=y=n[2-3]"});
    EXPECT_NE(result.out.find(" A*B."), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("* several jobs"), std::string::npos);
}

TEST_F(ShowCommand, ContinuesLongRowsOnTheNextLine) {
    write_topology("BlockName=b1 Nodes=n[1-40]\nBlockName=b2 Nodes=n[41-42]\nBlockSizes=2\n");
    const Result result = show({"--width=50", "--busy=n[1-20]"});
    EXPECT_EQ(result.out.substr(0, result.out.find("\n\n")),
              "block  nodes                free     busy  drained\n"
              "b1     ################       20       20        0\n"
              "       ####............\n"
              "       ........\n"
              "b2     ..                      2        0        0");
}

TEST_F(ShowCommand, ColoursOnlyOnRequest) {
    EXPECT_EQ(show({"--busy=n1"}).out.find('\x1b'), std::string::npos);
    EXPECT_NE(show({"--busy=n1", "--color=always"}).out.find("\x1b[32m..."), std::string::npos);
    EXPECT_EQ(show({"--busy=n1", "--color=never"}).out.find('\x1b'), std::string::npos);
}

TEST_F(ShowCommand, DrawsBoxesWhereTheLocaleHasThem) {
    std::ostringstream out, err;
    Console console{out, err};
    console.unicode = true;
    EXPECT_EQ(run({"show", "--topology", topology_}, console), 0);
    EXPECT_NE(out.str().find("┌  ┌ b1"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("└  └ b4"), std::string::npos) << out.str();
}

TEST_F(ShowCommand, ReservedNodesHaveAGlyphAndAColumn) {
    const Result result = show({"--reserved=n[1-3]", "--busy=n2", "--drained=n3"});
    EXPECT_NE(result.out.find("16 8 block  nodes     free     busy  drained reserved\n"
                              "/  / b1     r#x.         1        1        1        1\n"),
              std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("15 nodes: 12 free, 1 busy, 1 drained, 1 reserved\n"),
              std::string::npos);
    EXPECT_NE(result.out.find("   r reserved\n"), std::string::npos);
}

TEST_F(ShowCommand, WritesDrawings) {
    const std::string svg = folder_.path() + "/racks.svg";
    const std::string html = folder_.path() + "/racks.html";
    const Result result =
        show({"--job=4711=n[5-8]", "--job=4712=n[5,9]", "--svg", svg, "--html", html});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "");
    for (const std::string& file : {svg, html}) {
        std::ifstream stream(file);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        EXPECT_NE(text.find("n5 (b2): jobs 4711, 4712"), std::string::npos) << text;
        EXPECT_NE(text.find("Racks of topology.conf"), std::string::npos);
    }
    EXPECT_EQ(show({"--svg", folder_.path() + "/missing/racks.svg"}).status, 2);
}

/// A saved state in which the blocks of four have these indices, joined in twos.
std::string numbered_racks(const std::vector<unsigned>& indices, const Folder& folder) {
    SnapshotText text;
    text.blocks.clear();
    for (std::size_t i = 0; i < indices.size(); ++i)
        text.blocks += record_line({{"name", fmt::format("r{}", indices[i] + 1)},
                                    {"index", indices[i]},
                                    {"nodes", fmt::format("n[{:02}-{:02}]", 4 * i + 1, 4 * i + 4)},
                                    {"size", 4}});
    text.blocks += record_line({{"name", "r[5-6]"}, {"aggregated", true}, {"size", 8}});
    return text.write(folder);
}

/// With Nvl72Aggregate=name a rack that is missing was a row without a name, and an entry of the
/// JSON: a hundred of them where the racks are called r101, r102 and so on.
TEST_F(ShowCommand, MissingRacksAreNoRows) {
    const Folder saved;
    const std::string state = numbered_racks({0, 3, 4, 5}, saved);
    const Result result = run_command({"show", "--state", state});
    EXPECT_EQ(result.out.substr(0, result.out.find("\n\n")),
              "8 block  nodes     free     busy  drained\n"
              "- r1     ....         4        0        0\n"
              "- r4     ....         4        0        0\n"
              "/ r5     ....         4        0        0\n"
              "\\ r6     ....         4        0        0")
        << result.err;
    std::vector<std::string> names;
    const json cluster = run_command({"show", "--state", state, "--json"}).json();
    for (const json& block : cluster["blocks"]) names.push_back(block["name"]);
    EXPECT_EQ(names, (std::vector<std::string>{"r1", "r4", "r5", "r6"}));
}

TEST_F(ShowCommand, ManyMissingRacksAreNotDrawn) {
    const Folder saved;
    const std::string svg = folder_.path() + "/racks.svg";
    const std::string state = numbered_racks({100, 101, 102, 103}, saved);
    EXPECT_EQ(run_command({"show", "--state", state, "--svg", svg}).status, 0);
    std::ifstream stream(svg);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_NE(text.find("<title>r101</title>"), std::string::npos);
    EXPECT_EQ(text.find("<title></title>"), std::string::npos) << "a rack without a name";
}

TEST_F(ShowCommand, NodeListsContradictASavedState) {
    const Result result = run_command({"show", "--state", folder_.path(), "--busy=n1"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("contradict the cluster's own state"), std::string::npos);
}

TEST_F(ShowCommand, SurvivesOddTopologies) {
    write_topology("BlockName=empty\nBlockName=b1 Nodes=n1\nBlockSizes=18,36,72\n");
    EXPECT_EQ(show({}).status, 0);
    EXPECT_EQ(show({"--json"}).status, 0);
    write_topology("BlockName=b1 Nodes=n[1-3]\nBlockName=b2 Nodes=m[1-2]\nBlockName=b3 Nodes=k1\n");
    EXPECT_EQ(show({}).status, 0);
}

TEST_F(ShowCommand, EndsWithTwoForBadInput) {
    const std::vector<std::vector<std::string>> inputs = {
        {"--job=n1"},    {"--job==n1"},     {"--job=x=n[1-"}, {"--width=0"},       {"--width=abc"},
        {"--color=red"}, {"--busy=n[2-1]"}, {"extra"},        {"--reserved=n[1-"},
    };
    for (const std::vector<std::string>& options : inputs) {
        const Result result = show(options);
        EXPECT_EQ(result.status, 2) << testing::PrintToString(options);
        EXPECT_NE(result.err, "") << testing::PrintToString(options);
    }
}

}  // namespace
}  // namespace nvl72block::cli
