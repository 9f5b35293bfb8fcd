// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/why/why_report.hpp"

namespace nvl72block::cli {
namespace {

TEST(SlurmReason, InWords) {
    EXPECT_EQ(explain_reason("Priority"), "jobs of higher priority wait for the same nodes");
    EXPECT_EQ(explain_reason("ReqNodeNotAvail,_May_be_reserved_for_other_job"),
              "a node that it needs is reserved, out of service or does not answer");
    EXPECT_EQ(explain_reason("QOSMaxNodePerUserLimit"), "a limit of its QOS is reached");
    EXPECT_EQ(explain_reason("DependencyNeverSatisfied"),
              "the jobs that it depends on can no longer end as it wants");
    EXPECT_EQ(explain_reason("No_suitable_topology_unit_found_for_segment"),
              "its segments do not fit into the blocks now");
    EXPECT_EQ(explain_reason("Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs"),
              "it asks for more nodes than are in service and not kept for higher partitions");
    EXPECT_EQ(explain_reason("Licenses"),
              "the licences that it needs are in use; without --licenses, it waits as its comment "
              "says");
    EXPECT_EQ(explain_reason("Reservation"),
              "the reservation that it asks for has not begun or is full");
    EXPECT_EQ(explain_reason("Reservation_maint_was_deleted"),
              "the reservation that it asks for does not exist any more");
    for (const char* invalid : {"ReservationInvalid", "Reservation_maint_is_invalid"})
        EXPECT_EQ(explain_reason(invalid),
                  "the reservation that it asks for is not valid any more");
    EXPECT_EQ(explain_reason("Whatever"), "see JOB REASON CODES in squeue(1)");
}

}  // namespace
}  // namespace nvl72block::cli
