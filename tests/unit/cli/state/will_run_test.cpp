// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/will_run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/input/input_error.hpp"
#include "cli/state/document.hpp"

namespace nvl72block::cli {
namespace {

WillRun read(const std::string& answer) {
    const std::string config = R"("config":{"time":1000,"slurm_version":"26.05.3"})";
    return will_run_in({R"({"format":2,)" + config + answer + "}", "x"},
                       NodeTable({"n1", "n2", "n3"}));
}

TEST(WillRun, HasTheNodesAndWhetherTheJobStartsAtOnce) {
    const WillRun now = read(
        R"(,"will_run":{"job":4,"partition":"main","nodes":"n[1-2]","start":1001,"preempted":"2,3"})");
    EXPECT_EQ(now.partition, "main");
    EXPECT_EQ(now.nodes.count(), 2U);
    EXPECT_TRUE(now.at_once);
    EXPECT_EQ(now.preempted, "2,3");
    EXPECT_EQ(now.told, "");
    const WillRun later = read(
        R"(,"will_run":{"job":4,"nodes":"n1","start":1600,"system_comment":"nvl72block: needs 2; segments of 4"})");
    EXPECT_FALSE(later.at_once);
    EXPECT_EQ(later.told, "needs 2; segments of 4");
    EXPECT_EQ(later.segment_size, 4U);
}

/// A test that took eight seconds: its start at once was one for later.
TEST(WillRun, AtOnceIsByTheTimeOfTheAnswer) {
    const auto starts = [](const char* time) {
        return read(fmt::format(R"(,"will_run":{{"job":4,"nodes":"n1","start":1007,"time":{}}})",
                                time))
            .at_once;
    };
    EXPECT_TRUE(starts("1008"));
    EXPECT_TRUE(starts("1005"));
    EXPECT_FALSE(starts("1004"));
}

TEST(WillRun, MayHaveNoNodes) {
    const WillRun never = read(R"(,"will_run":{"job":4})");
    EXPECT_TRUE(never.nodes.empty());
    EXPECT_FALSE(never.start);
    EXPECT_FALSE(never.at_once);
}

TEST(WillRun, OfAnotherDocumentIsRefused) {
    EXPECT_THROW((void)read(""), InputError);
}

}  // namespace
}  // namespace nvl72block::cli
