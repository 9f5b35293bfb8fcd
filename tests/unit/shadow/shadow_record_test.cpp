// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/shadow_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace nvl72block {
namespace {

NodeSet set_of(std::initializer_list<NodeIndex> nodes, std::size_t size) {
    NodeSet set(size);
    for (const NodeIndex node : nodes) set.set(node);
    return set;
}

TEST(ShadowRecord, ALineIsReadAsItWasWritten) {
    const ShadowRecord written{"decision", {{"job", "17"}, {"why", "a = b"}, {"block", "0-2,5"}}};
    const std::string line = to_line(written);
    ASSERT_EQ(line.back(), '\n');
    const auto read = parse_shadow_line(std::string_view(line).substr(0, line.size() - 1));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kind, "decision");
    EXPECT_EQ(read->fields, written.fields);
    EXPECT_EQ(read->number("job"), 17U);
    EXPECT_EQ(read->nodes("block", 6), set_of({0, 1, 2, 5}, 6));
    EXPECT_EQ(read->number("why"), std::nullopt);
    EXPECT_EQ(read->text("none"), "");
}

TEST(ShadowRecord, ValuesStayOnTheirLineAndInTheirField) {
    const std::string line = to_line({"fault", {{"what", "one\ttwo\nthree"}}});
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    EXPECT_EQ(parse_shadow_line(line.substr(0, line.size() - 1))->text("what"), "one two three");
}

TEST(ShadowRecord, EveryChangedByteAndEveryCutIsNoticed) {
    const std::string line = to_line({"tally", {{"t", "1795523363"}, {"lost", "0"}}});
    const std::string whole = line.substr(0, line.size() - 1);
    ASSERT_TRUE(parse_shadow_line(whole));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        EXPECT_FALSE(parse_shadow_line(damaged)) << i;
        EXPECT_FALSE(parse_shadow_line(whole.substr(0, i))) << i;
    }
}

TEST(ShadowRecord, NodeRangesAreReadBackAndCheckedAgainstTheTable) {
    for (const NodeSet& nodes : {NodeSet(70), set_of({0}, 70), set_of({0, 1, 3, 63, 64, 69}, 70)})
        EXPECT_EQ(parse_node_ranges(node_ranges(nodes), 70), nodes);
    EXPECT_EQ(node_ranges(set_of({0, 1, 3, 63, 64, 69}, 70)), "0-1,3,63-64,69");
    for (const char* wrong : {"70", "3-2", "a", "1-", "-1", "1,,2", "0-4294967295"})
        EXPECT_EQ(parse_node_ranges(wrong, 70), std::nullopt) << wrong;
}

}  // namespace
}  // namespace nvl72block
