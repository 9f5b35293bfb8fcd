// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "readers.hpp"

namespace nvl72block {
namespace {

std::string add(const std::vector<std::string>& features) {
    Inventory inventory;
    for (const std::string& text : features) inventory.add("n1", read_clique(text));
    return describe(inventory);
}

TEST(Inventory, AWordOutweighsNone) {
    EXPECT_EQ(add({"gpu", clique_a}), "n1=" + clique_a);
    EXPECT_EQ(add({clique_a, "gpu"}), "n1=" + clique_a);
    EXPECT_EQ(add({clique_a, clique_a}), "n1=" + clique_a);
}

TEST(Inventory, TwoCliquesAreAProblem) {
    EXPECT_EQ(add({clique_a, clique_b}), "n1=two different cliques are named [" + clique_b + "]");
    EXPECT_EQ(add({clique_a, "CliqueId_1"}), "n1=a CliqueId without a ClusterUUID [CliqueId_1]");
    EXPECT_EQ(add({"CliqueId_1", clique_a}), "n1=a CliqueId without a ClusterUUID [CliqueId_1]");
}

TEST(Inventory, Find) {
    Inventory inventory;
    inventory.add("n1", read_clique(clique_a));
    ASSERT_NE(inventory.find("n1"), nullptr);
    EXPECT_EQ(to_string(inventory.find("n1")->clique.identity), clique_a);
    EXPECT_EQ(inventory.find("n2"), nullptr);
}

}  // namespace
}  // namespace nvl72block
