// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "cli/input/input_error.hpp"
#include "cli/plan/sbatch_line.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

NodeCounts counts(const char* text) {
    return parse_node_counts("--nodes", text);
}

TEST(NodeCountsOfSbatch, ReadsRangesListsAndSteps) {
    EXPECT_THAT(counts("2-8").listed, IsEmpty());
    EXPECT_EQ(counts("4k").range.most, 4096U);
    EXPECT_THAT(counts("8,2,4-6").listed, ElementsAre(2, 4, 5, 6, 8));
    EXPECT_EQ(counts("8,2,4-6").range.least, 2U);
    EXPECT_EQ(counts("8,2,4-6").range.most, 8U);
    EXPECT_THAT(counts("1-15:4").listed, ElementsAre(1, 5, 9, 13));  // sbatch(1)
    EXPECT_THAT(counts("1-13:4").listed, ElementsAre(1, 5, 9));      // Slurm leaves the end out
}

TEST(NodeCountsOfSbatch, RefusesWhatSbatchDoes) {
    for (const char* text : {",", ":", "2,,4", "2,4k", "4-2,8", "2:4", "2-8:", "2-8:0", "4-4:1",
                             "2,4-8:2", "1-4000000000:1", "1,16384", "x,y"})
        EXPECT_THROW((void)counts(text), InputError) << text;
    try {
        (void)counts("1,20000");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "--nodes: 20000 is more than a list of node counts may have; write at most "
                     "16383");
    }
}

}  // namespace
}  // namespace nvl72block::cli
