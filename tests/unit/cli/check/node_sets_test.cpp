// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/node_sets.hpp"

#include <gmock/gmock.h>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(NodeSets, OfSlurmConfAndTheFilesThatItIncludes) {
    const Folder folder;
    (void)folder.file("nodes.conf", "include slurm.conf\nNODESET=c nodes=n[7-8]\r\n");
    const std::string conf = folder.file("slurm.conf",
                                         "NodeName=n[1-9] Feature=x\n# NodeSet=z Nodes=n9\n"
                                         "NodeSet=a Nodes=n[1-2],n4\n"
                                         "  NodeSet=b\tFeature=gb200 Nodes=n5 # a rack\n"
                                         "Include nodes.conf\n");
    const auto sets = node_sets_of(conf);
    EXPECT_THAT(sets, UnorderedElementsAre(Pair("a", "n[1-2],n4"), Pair("b", "feature{gb200},n5"),
                                           Pair("c", "n[7-8]")));
    EXPECT_THAT(node_sets_of(folder.path() + "/none"), IsEmpty());
    EXPECT_THAT(node_sets_of(""), IsEmpty());
}

}  // namespace
}  // namespace nvl72block::cli
