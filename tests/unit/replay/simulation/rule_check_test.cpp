// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/simulation/rule_check.hpp"

#include "../racks.hpp"

namespace nvl72block::replay {
namespace {

TEST(RuleCheck, JudgesNodes) {
    const Topology topology = racks(4, 4, {4, 8});
    const auto obeys = [&](const std::vector<NodeIndex>& nodes) {
        return obeys_plain_rule(topology, nodes);
    };
    EXPECT_TRUE(obeys({0, 3}));
    EXPECT_FALSE(obeys({3, 4}));           // two racks for two nodes
    EXPECT_TRUE(obeys({0, 1, 2, 4, 5}));   // a pair
    EXPECT_FALSE(obeys({4, 5, 6, 8, 9}));  // two racks that are no pair
    EXPECT_TRUE(obeys({0, 1, 2, 3, 4, 5, 6, 7, 12}));
}

}  // namespace
}  // namespace nvl72block::replay
