// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "readers.hpp"

namespace nvl72block {
namespace {

// The lines that scontrol 24.11.5 prints for a node, less those in between.
std::string node(const std::string& name, const std::string& features) {
    return "NodeName=" + name +
           " CoresPerSocket=72 \n   CPUAlloc=0 CPUEfctv=144 CPUTot=144 CPULoad=N/A\n"
           "   AvailableFeatures=" +
           features + "\n   ActiveFeatures=" + features + "\n   Gres=gpu:4\n   NodeAddr=" + name +
           " NodeHostName=" + name + " \n   State=IDLE+CLOUD ThreadsPerCore=1\n\n";
}

TEST(SlurmText, ScontrolShowNodes) {
    EXPECT_EQ(
        read_text(node("n1", "gpu," + clique_a) + node("n2", "(null)") + node("n3", clique_b)),
        "n1=" + clique_a + " n2=- n3=" + clique_b);
    EXPECT_EQ(read_text("\n" + node("n1", "c-" + clique_a), "c-"), "n1=" + clique_a);
}

TEST(SlurmText, OneLine) {
    EXPECT_EQ(
        read_text("NodeName=n1 Arch=aarch64 AvailableFeatures=" + clique_a +
                  " ActiveFeatures=x State=IDLE\nNodeName=n2 AvailableFeatures=CliqueId_1 \n"),
        "n1=" + clique_a + " n2=a CliqueId without a ClusterUUID [CliqueId_1]");
}

TEST(SlurmText, AvailableFeaturesInACommentDoNotCount) {
    EXPECT_EQ(read_text("NodeName=n1 CPUTot=1\n   AvailableFeatures=" + clique_a +
                        "\n   Comment=see AvailableFeatures=" + clique_b + "\n"),
              "n1=" + clique_a);
}

TEST(SlurmText, ANodeWithoutAName) {
    EXPECT_EQ(read_text("NodeName=n1 CPUTot=1\n\nNodeName= CPUTot=1\n"),
              "file:3: NodeName= has no value; save the output of scontrol show nodes unchanged");
}

}  // namespace
}  // namespace nvl72block
