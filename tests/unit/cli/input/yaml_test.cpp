// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/yaml.hpp"

#include <gmock/gmock.h>

namespace nvl72block::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> lines(const Diagnostics& diagnostics) {
    std::vector<std::string> all;
    for (const Diagnostic& each : diagnostics) all.push_back(to_string(each));
    return all;
}

TEST(Yaml, ATreeWithLines) {
    Diagnostics found;
    const auto tree = parse_yaml("---\n- name: a\n  sizes: [18, 36]\n- 0x12\n", "f.yaml", found);
    ASSERT_TRUE(tree);
    EXPECT_THAT(found, IsEmpty());
    ASSERT_EQ(tree->kind, YamlNode::Kind::list);
    ASSERT_EQ(tree->items.size(), 2U);
    const YamlNode& map = tree->items[0];
    EXPECT_EQ(map.line, 2U);
    ASSERT_NE(map.find("name"), nullptr);
    EXPECT_EQ(map.find("name")->text, "a");
    ASSERT_NE(map.find("sizes"), nullptr);
    EXPECT_EQ(map.find("sizes")->line, 3U);
    EXPECT_EQ(map.find("sizes")->items[1].text, "36");
    EXPECT_EQ(map.find("other"), nullptr);
    EXPECT_EQ(tree->items[1].text, "0x12");
}

TEST(Yaml, WhatIsNoYamlIsNamedWithItsLine) {
    Diagnostics found;
    EXPECT_FALSE(parse_yaml("a: 1\n\tb: 2\n", "f.yaml", found));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(to_string(found[0]), HasSubstr("f.yaml:2: is not YAML: "));
}

TEST(Yaml, AnAliasIsRefusedAsSlurmRefusesIt) {
    Diagnostics found;
    EXPECT_FALSE(parse_yaml("a: &x 1\nb: *x\n", "f.yaml", found));
    EXPECT_THAT(lines(found),
                ElementsAre("f.yaml:2: an alias (*NAME), which Slurm does not read; write the text "
                            "out"));
}

TEST(Yaml, TheSecondOfAKeyCounts) {
    Diagnostics found;
    const auto tree = parse_yaml("a: 1\nb: 2\na: 3\n", "f.yaml", found);
    ASSERT_TRUE(tree);
    EXPECT_EQ(tree->find("a")->text, "3");
    EXPECT_THAT(lines(found), ElementsAre("f.yaml:3: a is written twice, the last one counts; "
                                          "remove the one of line 1"));
    EXPECT_FALSE(has_error(found));
}

TEST(Yaml, NothingAndTooMuch) {
    Diagnostics found;
    EXPECT_FALSE(parse_yaml("# nothing\n", "f.yaml", found));
    EXPECT_FALSE(parse_yaml(std::string(100, '['), "f.yaml", found));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(to_string(found[0]), "f.yaml:1: the file is empty; write a list of topologies");
    EXPECT_THAT(to_string(found[1]), HasSubstr("more than 64 levels"));
}

}  // namespace
}  // namespace nvl72block::cli
