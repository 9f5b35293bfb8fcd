// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "readers.hpp"

namespace nvl72block {
namespace {

const std::string remedy =
    "; write a node list and its features, e.g. node[01-18] "
    "b78ed242-7b98-426f-b194-b76b8899f4ec.32766";

TEST(TwoColumns, NodesAndFeatures) {
    EXPECT_EQ(
        read_text("# made by hand\nn[1-2]\tgpu," + clique_a + "  # rack 1\n\nn3\r\nn4 " + clique_b),
        "n1=" + clique_a + " n2=" + clique_a + " n3=- n4=" + clique_b);
    EXPECT_EQ(read_text(""), "");
    EXPECT_EQ(read_text("n1 x-" + clique_a, "x-"), "n1=" + clique_a);
}

TEST(TwoColumns, SeveralLinesANode) {
    EXPECT_EQ(read_text("n1 gpu\nn1 " + clique_a + "\nn1\n"), "n1=" + clique_a);
    EXPECT_EQ(read_text("n1 " + clique_a + "\nn1 " + clique_b),
              "n1=two different cliques are named [" + clique_b + "]");
}

TEST(TwoColumns, WhatIsWrong) {
    EXPECT_EQ(read_text("n1 a\nn2 b c\n"), "file:2: \"c\" is a third column" + remedy);
    EXPECT_EQ(read_text(std::string_view("n1 a\0b", 6)), "file:1: not a text file" + remedy);
    const std::string list = read_text("n[1-2 a\n");
    EXPECT_TRUE(list.starts_with("file:1: ") && list.ends_with(remedy)) << list;
    const std::string many = read_text("a[1-200000] x\nb[1-100000] x\n");
    EXPECT_EQ(many, "file:2: more than 262144 nodes in total" + remedy);
}

}  // namespace
}  // namespace nvl72block
