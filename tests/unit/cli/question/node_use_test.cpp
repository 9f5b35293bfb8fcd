// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/node_use.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(NodeUse, StatesInWhichANodeIsUsed) {
    NodeRecord node;
    node.base = NodeBase::idle;
    EXPECT_TRUE(is_free(node));
    node.flags = flag_cloud | flag_powered_down | flag_no_respond;
    EXPECT_TRUE(is_free(node)) << "a node that is switched off is started for a job";
    node.flags = flag_planned;
    EXPECT_TRUE(is_free(node));
    for (const NodeFlag flag :
         {flag_drain, flag_fail, flag_invalid, flag_no_respond, flag_powering_down,
          flag_reboot_issued, flag_completing, flag_blocked}) {
        node.flags = flag;
        EXPECT_FALSE(is_free(node)) << flag;
    }
    node.flags = 0;
    node.base = NodeBase::down;
    EXPECT_FALSE(in_service(node));
    node.base = NodeBase::mixed;
    EXPECT_TRUE(in_service(node));
    EXPECT_FALSE(is_free(node));
}

TEST(NodeUse, ANodeThatABlockedJobHoldsIsIdleAndNotFree) {
    NodeRecord node;
    node.base = NodeBase::idle;
    node.flags = flag_blocked;
    EXPECT_TRUE(is_idle(node));
    EXPECT_TRUE(has_job(node));
    EXPECT_FALSE(runs_job(node));
    EXPECT_FALSE(is_free(node));
}

TEST(NodeUse, ARequestedRebootTakesNoNodeOutOfService) {
    NodeRecord node;
    node.base = NodeBase::allocated;
    node.flags = flag_reboot_requested;
    EXPECT_TRUE(in_service(node));
    node.base = NodeBase::idle;
    EXPECT_TRUE(is_free(node));
}

}  // namespace
}  // namespace nvl72block::cli
