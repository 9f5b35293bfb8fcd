// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/weights_file.hpp"

#include <gtest/gtest.h>

#include "../command.hpp"
#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

TEST(WeightsFile, GivesUnnamedNodesSlurmsDefault) {
    const Folder folder;
    const NodeTable nodes({"n1", "n2", "n3"});
    const auto lines =
        read_weights(folder.file("weights", "# heavy\nn[2-3]  18446744073709551615\n"));
    EXPECT_EQ(node_weights(lines, nodes),
              (std::vector<std::uint64_t>{1, ~std::uint64_t{0}, ~std::uint64_t{0}}));
}

TEST(WeightsFile, RefusesBadLinesWithTheirNumber) {
    const Folder folder;
    for (const char* line : {"n1", "n1 x", "n1 -1", "n1 1 2"}) {
        try {
            (void)read_weights(folder.file("weights", std::string("n2 5\n") + line + "\n"));
            ADD_FAILURE() << line;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("weights:2: "), std::string::npos)
                << error.what();
        }
    }
    const NodeTable nodes({"n1", "n2"});
    const auto twice = read_weights(folder.file("weights", "n1 5\nn[1-2] 6\n"));
    EXPECT_THROW((void)node_weights(twice, nodes), InputError);
}

}  // namespace
}  // namespace nvl72block::cli
