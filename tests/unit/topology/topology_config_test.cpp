// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/topology_config.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "nvl72block/hostlist.hpp"

namespace nvl72block {
namespace {

using testing::ElementsAre;

std::vector<std::string> messages(const Diagnostics& diagnostics) {
    std::vector<std::string> out;
    for (const Diagnostic& diagnostic : diagnostics) out.push_back(to_string(diagnostic));
    return out;
}

TopologyConfig parse(std::string_view text) {
    Diagnostics diagnostics;
    auto config = parse_topology_config(text, "topology.conf", diagnostics);
    EXPECT_THAT(messages(diagnostics), ElementsAre());
    return config.value_or(TopologyConfig{});
}

/// The findings of a text that must be refused, each an error.
std::vector<std::string> errors(std::string_view text) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_topology_config(text, "topology.conf", diagnostics));
    for (const Diagnostic& diagnostic : diagnostics)
        EXPECT_EQ(diagnostic.severity, Severity::error);
    return messages(diagnostics);
}

std::string spell(const TopologyConfig& config) {
    std::string out;
    for (const BlockLine& block : config.blocks)
        out += fmt::format("{}:{}={};", block.line, block.name, block.nodes);
    for (const std::uint32_t size : config.block_sizes) out += fmt::format(" {}", size);
    return out;
}

TEST(TopologyConfig, ReadsWhatSlurmReads) {
    const struct {
        std::string_view text;
        std::string_view content;
    } cases[] = {
        {"BlockName=b1 Nodes=n[1-4]\nBlockSizes=4,8\n", "1:b1=n[1-4]; 4 8"},
        {"BlockName=b1 Nodes=n[1-4]", "1:b1=n[1-4];"},
        {"blockname=b1 NODES=n1\nblocksizes=1", "1:b1=n1; 1"},
        {"  BlockName = b1\tNodes =n1  \n", "1:b1=n1;"},
        {"BlockName=\"b1\" Nodes=\"n1, n2\"\nBlockSizes=\"4, 8\"", "1:b1=n1, n2; 4 8"},
        {"# comment\n\nBlockName=b1 # BlockName=b2\n", "3:b1=;"},
        {"BlockName=b1 \\\n  Nodes=n1\nBlockName=b2\n", "1:b1=n1;3:b2=;"},
        {"BlockName=b1 Nodes=n1,\\\nn2\n", "1:b1=n1,n2;"},
        {"BlockName=b1 \\ # comment\nNodes=n1", "1:b1=n1;"},
        {"# comment \\\nBlockName=b1", "2:b1=;"},
        {"BlockName=b1 \\", "1:b1=;"},
        {"BlockName=b\\#1 Nodes=n\\\\1", "1:b#1=n\\1;"},
        {"BlockName=b1 Nodes=n1\r\nBlockSizes=1\r\n", "1:b1=n1; 1"},
        {"BlockName=b1 Nodes=\"\"", "1:b1=;"},
        {"BlockName=b1 Nodes=block{x},nodeset", "1:b1=block{x},nodeset;"},
        {"BlockName=b1\nBlockSizes=4,16,8,4", "1:b1=; 4 16 8 4"},
        {"BlockName=b1\nBlockSizes=65535,2147450880", "1:b1=; 65535 2147450880"},
        {"BlockName=7fe1.32766 Nodes=n1", "1:7fe1.32766=n1;"},
    };
    for (const auto& [text, content] : cases) EXPECT_EQ(spell(parse(text)), content) << text;
}

TEST(TopologyConfig, KnowsWhereThingsStand) {
    const TopologyConfig config = parse("\nBlockName=b1\n\nBlockSizes=4");
    EXPECT_EQ(config.file, "topology.conf");
    EXPECT_EQ(config.blocks.at(0).file, "topology.conf");
    EXPECT_EQ(config.block_sizes_line, 4U);
    EXPECT_EQ(config.block_sizes_file, "topology.conf");
}

TEST(TopologyConfig, RefusesWithLineAndRemedy) {
    const struct {
        std::string_view text;
        std::string_view message;
    } cases[] = {
        {"BlockName=b1\nBlockSizes=18x",
         "topology.conf:2: BlockSizes=18x: '18x' is not a whole number of nodes; write 18"},
        {"BlockName=b1\nBlockSizes=18,54",
         "topology.conf:2: BlockSizes=18,54: 54 is not 18 times a power of two; write 36 or 72"},
        {"BlockName=b1\nBlockSizes=18,20",
         "topology.conf:2: BlockSizes=18,20: 20 is not 18 times a power of two; write 18 or 36"},
        {"BlockName=b1\nBlockSizes=36,18",
         "topology.conf:2: BlockSizes=36,18: 18 is smaller than the first size, 36, which must be "
         "the smallest; write 18 first"},
        {"BlockName=b1\nBlockSizes=36,18,18,72",
         "topology.conf:2: BlockSizes=36,18,18,72: 18 is smaller than the first size, 36, which "
         "must be the smallest; write 18 first"},
        {"BlockName=b1\nBlockSizes=1,65536",
         "topology.conf:2: BlockSizes=1,65536: 65536 is 65536 times 1; a block joins at most "
         "32768 base blocks; write at most 32768"},
        {"BlockName=b1\nBlockSizes=1,65537",
         "topology.conf:2: BlockSizes=1,65537: 65537 is not 1 times a power of two; write at most "
         "32768"},
        {"BlockName=b1\nBlockSizes=65536",
         "topology.conf:2: BlockSizes=65536: the first size is more than 65535 nodes; write the "
         "number of nodes of a base block"},
        {"BlockName=b1\nBlockSizes=0",
         "topology.conf:2: BlockSizes=0: a block cannot have 0 nodes; write a size of 1 or "
         "more"},
        {"BlockName=b1\nBlockSizes=-4",
         "topology.conf:2: BlockSizes=-4: '-4' is not a whole number of nodes; write the nodes of "
         "a block as a number, e.g. BlockSizes=18,36"},
        {"BlockName=b1\nBlockSizes=99999999999999999999",
         "topology.conf:2: BlockSizes=99999999999999999999: 99999999999999999999 nodes are more "
         "than the 2147450880 that a block can have; write a smaller size"},
        {"BlockName=b1\nBlockSizes=18,",
         "topology.conf:2: BlockSizes=18,: a size is missing next to a comma; remove the extra "
         "comma"},
        {"BlockName=b1\nBlockSizes=\"\"",
         "topology.conf:2: BlockSizes=: a size is missing; write the nodes of a block as a number, "
         "e.g. BlockSizes=18,36"},
        {"BlockName=b1\nBlockSizes=18, 36",
         "topology.conf:2: BlockSizes=18, 36: a blank ends the value; write BlockSizes=18,36"},
        {"BlockSizes=4\nBlockName=b1\nBlockSizes=8",
         "topology.conf:3: BlockSizes=8 is the second one; the first is on line 1; keep one "
         "BlockSizes line with all sizes"},
        {"BlockName=b1 Nodes=n1\nBlockName=b1 Nodes=n2",
         "topology.conf:2: BlockName=b1 is already on line 1; give each block a unique name, with "
         "all its nodes on one line"},
        {"BlockName=b1\nBlockSize=18",
         "topology.conf:2: unknown key 'BlockSize'; write BlockSizes"},
        {"BlockName=b1 Node=n1", "topology.conf:1: unknown key 'Node'; write Nodes"},
        {"BlokName=b1 Nodes=n1", "topology.conf:1: unknown key 'BlokName'; write BlockName"},
        {"BlockName=b1 Colour=red",
         "topology.conf:1: unknown key 'Colour'; the keys are BlockName, Nodes and BlockSizes"},
        {"SwitchName=s1 Nodes=n[1-4] LinkSpeed=9",
         "topology.conf:1: SwitchName=s1 describes a tree of switches, not blocks; describe the "
         "racks with BlockName= and Nodes="},
        {"",
         "topology.conf: no BlockName line; write one for each rack, e.g. BlockName=b1 "
         "Nodes=n[1-18]"},
        {"# sizes only\nBlockSizes=18",
         "topology.conf:2: no BlockName line; write one for each rack, e.g. BlockName=b1 "
         "Nodes=n[1-18]"},
        {"BlockName=b1 Nodes=n1 Nodes=n2",
         "topology.conf:1: BlockName=b1 has two Nodes= values; join them with a comma"},
        {"BlockName=\"\" Nodes=n1",
         "topology.conf:1: BlockName=: the block has no name; write a name after BlockName="},
        {"BlockName= Nodes=n1",
         "topology.conf:1: BlockName= has no value; write a value after BlockName="},
        {"Nodes=n1 BlockName=b1",
         "topology.conf:1: Nodes=n1 without a block; write BlockName= before Nodes= on the same "
         "line"},
        {"BlockName=b1 BlockSizes=4",
         "topology.conf:1: BlockSizes=4 on the line of BlockName=b1; write BlockSizes= on a "
         "separate line"},
        {"BlockName=b1\nBlockSizes=4 BlockName=b2",
         "topology.conf:2: BlockName=b2 on the line of BlockSizes; write BlockName= on a separate "
         "line"},
        {"BlockName=b1 Nodes=n1 n2",
         "topology.conf:1: 'n2' is not KEY=VALUE; write BlockName=, Nodes= or BlockSizes= with a "
         "value; a value with blanks in it needs double quotes"},
        {"BlockName=b1 \\\n\\\nNodes=n1 what",
         "topology.conf:1: 'what' is not KEY=VALUE; write BlockName=, Nodes= or BlockSizes= with a "
         "value; a value with blanks in it needs double quotes"},
        {"BlockName=b,1",
         "topology.conf:1: BlockName=b,1: ',' in a name would break the names of the blocks that "
         "join it; use letters, digits, '-', '.' and '_'"},
        {"BlockName=b1234567890123456789",
         "topology.conf:1: BlockName=b1234567890123456789: the name ends with 19 digits, more than "
         "Slurm supports; use at most 18 digits"},
        {std::string_view("BlockName=b1\nBlockName=b\0002", 26),
         "topology.conf:2: the line contains a zero byte; write the file as plain text"},
        {"BlockName=b1\nInclude a b",
         "topology.conf:2: 'a b' is not one file name; write Include FILE"},
        {"BlockName=b1\nInclude /nowhere/blocks.conf",
         "topology.conf:2: Include /nowhere/blocks.conf: No such file or directory; correct the "
         "name; it is relative to the directory of topology.conf"},
    };
    for (const auto& [text, message] : cases) EXPECT_THAT(errors(text), ElementsAre(message));
}

TEST(TopologyConfig, RefusesEachCharacterThatBreaksHostLists) {
    for (const char letter : std::string_view("[]{}, \t"))
        EXPECT_THAT(errors(fmt::format("BlockName=\"b{}x\"", letter)),
                    ElementsAre(testing::HasSubstr("in a name would break")));
    EXPECT_EQ(spell(parse("BlockName=b123456789012345678")), "1:b123456789012345678=;");
}

TEST(TopologyConfig, ReportsEverythingAtOnce) {
    EXPECT_THAT(
        errors("BlockName=b1 Node=n1\nBlockName=b2\nBlockName=b2\nBlockSizes=18x,0\nnonsense\n"),
        ElementsAre(testing::StartsWith("topology.conf:1: unknown key 'Node'"),
                    testing::StartsWith("topology.conf:4: BlockSizes=18x,0: '18x'"),
                    testing::StartsWith("topology.conf:4: BlockSizes=18x,0: a block cannot have 0"),
                    testing::StartsWith("topology.conf:5: 'nonsense'"),
                    testing::StartsWith("topology.conf:3: BlockName=b2 is already on line 2")));
    EXPECT_THAT(errors("BlockName=b1\nBlockSizes=18,54,90,72"),
                ElementsAre(testing::HasSubstr(": 54 is not"), testing::HasSubstr(": 90 is not")));
}

TEST(TopologyConfig, AFloodOfFindingsIsCut) {
    std::string text;
    for (int line = 0; line < 1000; ++line) text += "word\n";
    const auto found = errors(text);
    ASSERT_EQ(found.size(), 201U);
    EXPECT_EQ(found.back(),
              "topology.conf: 800 more errors are not shown; correct those above first");
}

TEST(TopologyConfig, BlocksBeyondAnyClusterAreNotRead) {
    std::string text;
    for (std::size_t block = 0; block < max_hostlist_names; ++block)
        text += fmt::format("BlockName=b{}\n", block);
    EXPECT_EQ(parse(text).blocks.size(), max_hostlist_names);
    EXPECT_EQ(errors(text + "BlockName=one\nBlockName=two\n"),
              std::vector<std::string>{
                  "topology.conf:262145: more than 262144 blocks; those from this line on are not "
                  "read; write one BlockName= line for each rack"});
}

TEST(TopologyConfig, LongLinesAreReadAndExcerpted) {
    const std::string nodes = "n1," + std::string(1U << 20, 'x');
    EXPECT_EQ(parse("BlockName=b1 Nodes=" + nodes).blocks.at(0).nodes, nodes);
    const auto found = errors(std::string(1U << 20, 'x'));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_LT(found[0].size(), 300U);
    EXPECT_LT(errors(std::string(1U << 20, 'x') + "=1").at(0).size(), 300U);
}

class IncludeTest : public testing::Test {
  protected:
    IncludeTest()
        : folder_(std::filesystem::path(testing::TempDir()) /
                  fmt::format("nvl72block-include-{}",
                              testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::filesystem::create_directories(folder_);
    }
    ~IncludeTest() override { std::filesystem::remove_all(folder_); }
    IncludeTest(const IncludeTest&) = delete;
    IncludeTest& operator=(const IncludeTest&) = delete;

    std::string write(const std::string& name, std::string_view text) const {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }

    std::filesystem::path folder_;
};

TEST_F(IncludeTest, ReadsTheFileBesideThisOne) {
    const std::string main = write("topology.conf", "BlockName=b1\ninclude racks\nBlockName=b3\n");
    const std::string racks = write("racks", "\nBlockName=b2\nBlockSizes=4\n");
    Diagnostics diagnostics;
    const auto config = read_topology_config(main, diagnostics);
    ASSERT_TRUE(config) << testing::PrintToString(messages(diagnostics));
    EXPECT_EQ(spell(*config), "1:b1=;2:b2=;3:b3=; 4");
    EXPECT_EQ(config->blocks[1].file, racks);
    EXPECT_EQ(config->blocks[2].file, main);
    EXPECT_EQ(config->block_sizes_file, racks);
}

/// As Slurm reads it. The name was relative to the folder of the included file.
TEST_F(IncludeTest, NamesInIncludedFilesAreRelativeToTheFirstFile) {
    std::filesystem::create_directories(folder_ / "rows");
    const std::string main = write("topology.conf", "Include rows/one\nBlockSizes=4\n");
    write("rows/one", "BlockName=b1\nInclude rows/rack\n");
    write("rows/rack", "\nBlockName=b2\n");
    Diagnostics diagnostics;
    const auto config = read_topology_config(main, diagnostics);
    ASSERT_TRUE(config) << testing::PrintToString(messages(diagnostics));
    EXPECT_EQ(spell(*config), "1:b1=;2:b2=; 4");
}

TEST_F(IncludeTest, FindingsNameTheIncludedFile) {
    const std::string main = write("topology.conf", "BlockName=b1\nInclude racks\nBlockSizes=4\n");
    const std::string racks = write("racks", "BlockName=b1\nBlockSizes=3,9\n");
    Diagnostics diagnostics;
    EXPECT_FALSE(read_topology_config(main, diagnostics));
    EXPECT_THAT(messages(diagnostics),
                ElementsAre(testing::StartsWith(main +
                                                ":3: BlockSizes=4 is the second one; the "
                                                "first is on " +
                                                racks + " line 2"),
                            testing::StartsWith(racks + ":1: BlockName=b1 is already on " + main +
                                                " line 1"),
                            testing::StartsWith(racks + ":2: BlockSizes=3,9: 9 is not")));
}

// `sudo nvl72block check FILE` with "Include /etc/shadow" in it printed the lines of /etc/shadow.
TEST_F(IncludeTest, AFileOfElsewhereIsNamedButNotQuoted) {
    std::filesystem::create_directories(folder_ / "slurm/racks");
    std::filesystem::create_directories(folder_ / "slurm-secrets");
    write("slurm-secrets/shadow",
          "root:$6$secret:1\nsecret=1\nNodes=secret\nBlockSizes=4 secret\n");
    std::filesystem::create_symlink("../slurm-secrets/shadow", folder_ / "slurm/link");
    write("slurm/racks/a.conf", "visible\n");
    const std::string main = write(
        "slurm/topology.conf",
        "BlockName=b1\nInclude ../slurm-secrets/shadow\nInclude link\nInclude racks/a.conf\n");
    Diagnostics diagnostics;
    EXPECT_FALSE(read_topology_config(main, diagnostics));
    const std::vector<std::string> found = messages(diagnostics);
    EXPECT_THAT(
        found, testing::Contains(testing::HasSubstr("shadow:1: '(not shown: the file is not in ")));
    EXPECT_THAT(found, testing::Contains(testing::HasSubstr("a.conf:1: 'visible' is not")));
    EXPECT_THAT(found, testing::Not(testing::Contains(testing::HasSubstr("secret:"))));
    EXPECT_THAT(found, testing::Not(testing::Contains(testing::HasSubstr("secret'"))));
    EXPECT_THAT(found, testing::Not(testing::Contains(testing::HasSubstr("=secret"))));
}

TEST_F(IncludeTest, CirclesComeToAnEnd) {
    const std::string main = write("topology.conf", "BlockName=b1\nInclude other\n");
    write("other", "Include topology.conf\nInclude other\nInclude other\n");
    Diagnostics diagnostics;
    EXPECT_FALSE(read_topology_config(main, diagnostics));
    EXPECT_THAT(messages(diagnostics),
                testing::Contains(testing::HasSubstr("too many included files")));
}

TEST_F(IncludeTest, TheNumberOfIncludedFilesIsBounded) {
    write("empty", "# nothing\n");
    std::string text = "BlockName=b1\n";
    for (int i = 0; i < 256; ++i) text += "Include empty\n";
    Diagnostics diagnostics;
    EXPECT_TRUE(read_topology_config(write("topology.conf", text), diagnostics));
    const std::string main = write("topology.conf", text + "Include empty\n");
    EXPECT_FALSE(read_topology_config(main, diagnostics));
    EXPECT_THAT(messages(diagnostics),
                ElementsAre(main + ":258: Include empty: too many included files; check for files "
                                   "that include each other"));
}

TEST_F(IncludeTest, FileThatCannotBeReadIsAFinding) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_topology_config(folder_ / "none", diagnostics));
    EXPECT_FALSE(read_topology_config(folder_, diagnostics));
    EXPECT_FALSE(read_topology_config("/dev/zero", diagnostics));
    EXPECT_THAT(
        messages(diagnostics),
        ElementsAre((folder_ / "none").string() +
                        ": cannot be read: No such file or directory; check that the file exists "
                        "and that slurmctld may read it",
                    testing::HasSubstr("cannot be read: it is a directory, not a regular file"),
                    testing::HasSubstr("cannot be read: it is a character device")));
}

}  // namespace
}  // namespace nvl72block
