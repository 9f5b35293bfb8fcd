// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/metrics/metrics_command.hpp"

#include <fstream>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

class MetricsCommand : public CommandTest {
  protected:
    MetricsCommand() {
        write_topology(
            "BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\nBlockName=b3 Nodes=n[9-11]\n"
            "BlockSizes=4,8\n");
    }
};

TEST_F(MetricsCommand, PrintsTheExposition) {
    const Result result = command("metrics", {"--busy=n1", "--drained=n2", "--reserved=n9"});
    EXPECT_EQ(result.status, 0) << result.err;
    for (const char* line :
         {"# HELP nvl72block_nodes Nodes by what they do; each node counts once.\n",
          "# TYPE nvl72block_nodes gauge\n", "nvl72block_nodes{state=\"free\"} 8\n",
          "nvl72block_nodes{state=\"busy\"} 1\n", "nvl72block_nodes{state=\"drained\"} 1\n",
          "nvl72block_nodes{state=\"reserved\"} 1\n", "nvl72block_usable_nodes 8\n",
          "nvl72block_blocks{size=\"4\",state=\"whole\"} 1\n",
          "nvl72block_blocks{size=\"4\",state=\"broken\"} 1\n",
          "nvl72block_blocks{size=\"4\",state=\"incomplete\"} 1\n",
          "nvl72block_free_segments{size=\"2\"} 4\n", "nvl72block_free_segments{size=\"8\"} 0\n"})
        EXPECT_NE(result.out.find(line), std::string::npos) << line << result.out;
}

TEST_F(MetricsCommand, WritesAFileThatEverybodyMayRead) {
    const std::string file = folder_.file("nodes.prom", "earlier");
    const Result result = command("metrics", {"--output", file});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "");
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_NE(text.find("nvl72block_usable_nodes 11\n"), std::string::npos);
    EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms{0644});
}

/// The service named /usr/local/bin, where no package installs the command.
TEST(MetricsService, NamesNoFolderOfTheCommand) {
    std::ifstream stream(NVL72BLOCK_SOURCE_DIR "/configs/systemd/nvl72block-metrics.service");
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_NE(text.find("\nExecStart=nvl72block metrics --output "), std::string::npos) << text;
}

TEST_F(MetricsCommand, EndsWithTwoForBadInput) {
    EXPECT_EQ(command("metrics", {"--output", folder_.path() + "/missing/file"}).status, 2);
    EXPECT_EQ(run_command({"metrics", "--state", folder_.path(), "--busy=n1"}).status, 2);
    EXPECT_EQ(run_command({"metrics", "--state", folder_.path() + "/missing"}).status, 2);
}

}  // namespace
}  // namespace nvl72block::cli
