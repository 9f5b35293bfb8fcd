// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "cli/why/diagnosis.hpp"
#include "why_state.hpp"

namespace nvl72block::cli {
namespace {

class RequiredNodesTest : public WhyState {
  protected:
    /// Why the job cannot use n02, of which this is the state.
    std::string because(const char* state) {
        JobLine job = waiting("1-1");
        job.required = "n02";
        SnapshotText text("");
        for (unsigned node = 1; node <= 16; ++node)
            text.nodes += node_line(fmt::format("n{:02}", node), node == 2 ? state : "IDLE",
                                    node == 2 && state == std::string("ALLOCATED") ? 140 : 0);
        text.jobs = job_line(job);
        state_ = std::make_unique<ClusterState>(read_state({text.write(folder_), ""}, notes_));
        question_ = job_question(*state_, find_job(*state_, "13"), 0);
        const auto nodes = required_not_usable(*state_, question_, diagnose(*state_, question_));
        return nodes.empty() ? "" : nodes.at(0).name + ": " + nodes.at(0).because;
    }
};

/// It was "in use by jobs that are not shown".
TEST_F(RequiredNodesTest, AnIdleNodeInABlockThatAJobHasToItselfIsBlocked) {
    EXPECT_EQ(because("IDLE+BLOCKED"),
              "n02: blocked: a job has its base block to itself (--exclusive=topo)");
    EXPECT_EQ(because("ALLOCATED"), "n02: in use by jobs that are not shown");
    EXPECT_EQ(because("IDLE"), "");
}

}  // namespace
}  // namespace nvl72block::cli
