// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/node_table.hpp"

#include <gtest/gtest.h>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

TEST(NodeTable, HoldsEachNameOnceInNaturalOrder) {
    const NodeTable table({"n10", "n2", "n2", "login"});
    ASSERT_EQ(table.size(), 3U);
    EXPECT_EQ(table.name(0), "login");
    EXPECT_EQ(table.name(1), "n2");
    EXPECT_EQ(table.find("n10"), NodeIndex{2});
    EXPECT_EQ(table.find("n3"), std::nullopt);
}

TEST(NodeTable, HasTheOrderOfSlurmWhereThatIsAsked) {
    const NodeTable table = NodeTable::in_order({"n3", "n1", "n2"});
    EXPECT_EQ(table.name(0), "n3");
    EXPECT_EQ(table.find("n2"), NodeIndex{2});
    EXPECT_EQ(table.hostlist(table.parse("--busy", "n[1-3]").view()), "n[1-3]");
}

TEST(NodeTable, ReadsAndWritesLists) {
    const NodeTable table({"n1", "n2", "n3"});
    const NodeSet nodes = table.parse("--busy", "n[2-3],n2");
    EXPECT_EQ(nodes.count(), 2U);
    EXPECT_EQ(table.hostlist(nodes.view()), "n[2-3]");
    EXPECT_EQ(table.hostlist(table.parse("--busy", "").view()), "");
    EXPECT_THROW((void)table.parse("--busy", "n4"), InputError);
    EXPECT_THROW((void)table.parse("--busy", "n[1-"), InputError);
}

}  // namespace
}  // namespace nvl72block::cli
