// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/nodes_text.hpp"

#include <gtest/gtest.h>

#include "nvl72block/hostlist.hpp"

namespace nvl72block {
namespace {

/// The number of names, or the sentence.
std::string checked(std::string_view text) {
    std::string error;
    const auto count = check_nodes_text(text, error);
    return count ? std::to_string(*count) : error;
}

TEST(NodesText, HostListsNamesAndFeatures) {
    EXPECT_EQ(checked("node[001-018]"), "18");
    EXPECT_EQ(checked("ALL"), "1");
    EXPECT_EQ(checked("n[1-2],spares,feature{rack1}"), "4");
    EXPECT_EQ(checked("feature{rack[1-3]}"), "3");
    EXPECT_EQ(checked("n1, n2\tn3"), "3");
    EXPECT_EQ(checked(""), "0");
}

// Slurm's reader would make them all; slurmctld had 1.2 GB when it was killed.
TEST(NodesText, AListOfMoreNamesThanAClusterHasNodesIsRefused) {
    std::string text = "node";
    for (int group = 0; group < 8; ++group) text += "[0-9]";
    EXPECT_EQ(checked(text), "'" + text + "': the list has more than 262144 names");
    EXPECT_EQ(checked("n[0-511][0-511]"), "262144");
    EXPECT_EQ(checked("n[0-511][0-511],one"),
              "'n[0-511][0-511],one': the list has more than 262144 names");
    EXPECT_EQ(checked("feature{a[0-999][0-999]}"),
              "'a[0-999][0-999]': the list has more than 262144 names");
}

// slurmctld took blockwith{node000} for the node, since there are no blocks yet; check and
// topology/block did not.
TEST(NodesText, OtherFunctionsAreRefused) {
    for (const std::string text :
         {"blockwith{node000}", "block{rack1}", "switch{s}", "{node000}", "Feature{a}", "feature{}",
          "feature{a}x", "feature{a}[1-2]", "feature{a", "a}", "n{1}"})
        EXPECT_EQ(checked("n1," + text), text + " is neither a node name nor feature{NAME}");
    EXPECT_EQ(checked("feature{a,b}"), "feature{a is neither a node name nor feature{NAME}");
    EXPECT_EQ(checked("feature{a{b}}"), "'a{b}': '{' and '}' are not allowed in a node name");
}

TEST(NodesText, MalformedListsAreRefused) {
    EXPECT_EQ(checked("n[1-"), "'n[1-': '[' without ']'");
    EXPECT_EQ(checked("n[+1-3]"), "'n[+1-3]': '+1-3' is not a number or a range of numbers");
    EXPECT_EQ(checked("n1\rn2"), "'\\x0d' is a control character");
    EXPECT_EQ(checked(std::string_view("n1\0", 3)), "'\\x00' is a control character");
}

}  // namespace
}  // namespace nvl72block
