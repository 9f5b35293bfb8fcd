// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/graph/graph_command.hpp"

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

class GraphCommand : public CommandTest {};

TEST_F(GraphCommand, DrawsBlocksAndOnRequestNodes) {
    site("BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2,4\n");
    const Result blocks = command("graph", {});
    EXPECT_EQ(blocks.status, 0);
    EXPECT_EQ(blocks.out.rfind("digraph", 0), 0U);
    EXPECT_NE(blocks.out.find("b2"), std::string::npos);
    const Result nodes = command("graph", {"--nodes"});
    EXPECT_EQ(nodes.status, 0);
    EXPECT_GT(nodes.out.size(), blocks.out.size());
}

TEST_F(GraphCommand, RefusesABadTopology) {
    site("BlockName=b1 Nodes=n[1-2]\nBlockSizes=2,7\n");
    const Result result = command("graph", {});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("topology.conf:2: "), std::string::npos) << result.err;
}

}  // namespace
}  // namespace nvl72block::cli
