// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/requests_file.hpp"

#include <gtest/gtest.h>

#include "../command.hpp"
#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

TEST(RequestLine, KnowsEveryOptionOfAJob) {
    const JobRequest request = parse_request_line(
        "jobs:3",
        "--nodes=8-16 --segment 4 --spread-segments --consolidate-segments --exclusive-topo "
        "--max-blocks=5 -w n[1-2] -x n3 --policy=compact");
    EXPECT_EQ(request.nodes.least, 8U);
    EXPECT_EQ(request.nodes.most, 16U);
    EXPECT_EQ(request.segment_size, 4U);
    EXPECT_TRUE(request.spread_segments);
    EXPECT_TRUE(request.consolidate_segments);
    EXPECT_TRUE(request.exclusive_topo);
    EXPECT_EQ(request.max_base_blocks, 5U);
    EXPECT_EQ(request.nodelist.text, "n[1-2]");
    EXPECT_EQ(request.exclude.text, "n3");
    EXPECT_EQ(request.policy, Policy::compact);
}

TEST(RequestLine, CountsTheNodeListWithoutNodes) {
    EXPECT_EQ(parse_request_line("jobs:1", "-w n[1-5]").nodes.least, 5U);
    EXPECT_THROW((void)parse_request_line("jobs:1", "--segment=4"), InputError);
}

TEST(RequestLine, NamesFileAndLine) {
    for (const char* line : {"--nodez=4", "nodes", "--nodes=0", "--nodes", "--nodes=4 --busy=n1",
                             "--nodes=4 --policy=x", "--nodes=4 --spread-segments"}) {
        try {
            (void)parse_request_line("jobs:7", line);
            ADD_FAILURE() << line;
        } catch (const InputError& error) {
            EXPECT_EQ(std::string(error.what()).rfind("jobs:7: ", 0), 0U) << error.what();
        }
    }
}

TEST(RequestsFile, SkipsCommentsAndEmptyLines) {
    const Folder folder;
    const std::string file =
        folder.file("jobs", "# first\n\n--nodes=4  # small\r\n   \n\t-N 8 --segment=4\n");
    const std::vector<JobRequest> requests = read_requests(file);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[0].line, 3U);
    EXPECT_EQ(requests[0].text, "--nodes=4");
    EXPECT_EQ(requests[1].line, 5U);
    EXPECT_EQ(requests[1].segment_size, 4U);
}

TEST(RequestsFile, RefusesWhatHoldsNoRequest) {
    const Folder folder;
    EXPECT_THROW((void)read_requests(folder.file("empty", "")), InputError);
    EXPECT_THROW((void)read_requests(folder.file("binary", std::string("a\0b\n", 4))), InputError);
    EXPECT_THROW((void)read_requests(folder.path()), InputError);
    EXPECT_THROW((void)read_requests(folder.path() + "/none"), InputError);
}

}  // namespace
}  // namespace nvl72block::cli
