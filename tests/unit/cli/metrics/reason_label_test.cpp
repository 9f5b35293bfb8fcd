// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/metrics/reason_label.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(ReasonLabel, IsAReasonOfSlurms) {
    EXPECT_EQ(reason_label("Resources"), "Resources");
    EXPECT_EQ(reason_label("AccountNotAllowed"), "AccountNotAllowed");
    EXPECT_EQ(reason_label("ReqNodeNotAvail,_UnavailableNodes:n[1-4]"), "ReqNodeNotAvail");
    EXPECT_EQ(reason_label("Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved"),
              "Nodes_required_for_job_are_DOWN");
    EXPECT_EQ(reason_label(""), "None");
}

// `-J $'x UserId=b(1) JobState=PENDING Reason=evil_1 x'` made a series per job.
TEST(ReasonLabel, AnyOtherTextIsOther) {
    for (const char* reason : {"evil_1", "\xff\xfe", "resources", "Resource", "Resources2", "\n"})
        EXPECT_EQ(reason_label(reason), "other") << reason;
}

}  // namespace
}  // namespace nvl72block::cli
