// SPDX-License-Identifier: GPL-2.0-or-later
#include "demand/slots.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../placement/small_cluster.hpp"

namespace nvl72block {
namespace {

/// "16:255+4:64 | 36:12": nodes and value of the slots of each level.
std::string slots(const std::vector<DemandSize>& demand, bool single_nodes_matter = false) {
    const testing::SmallCluster eight_racks(18, "18,72", std::vector<std::uint32_t>(8, 18));
    std::string text;
    for (const Slots& level : slots_by_level(eight_racks.topology, demand, single_nodes_matter)) {
        if (!text.empty()) text += " | ";
        for (const Slot& slot : level)
            text += fmt::format("{}{}:{}", text.empty() || text.back() == ' ' ? "" : "+",
                                slot.nodes, slot.value);
    }
    return text;
}

TEST(Slots, ValuesAreRelativeAndSmall) {
    EXPECT_EQ(slots({{16, 1000}}), "16:1 | ") << "one size needs no larger value";
    EXPECT_EQ(slots({{4, 500}, {8, 250}}), "4:1+8:1 | ") << "4 times 2 is 8";
    EXPECT_EQ(slots({{4, 500}, {16, 500}}), "4:64+16:255 | ");
    EXPECT_EQ(slots({{2, 1}, {16, 999}}), "2:1+16:255 | ") << "no size is worth nothing";
}

TEST(Slots, LieInBlocksOfTheirLevel) {
    EXPECT_EQ(slots({{16, 200}, {36, 200}}), "16:113 | 36:255");
    EXPECT_EQ(slots({{16, 200}, {100, 800}}), "16:1 | ") << "the cluster holds what it holds";
}

TEST(Slots, OfOneNodeCountWhereNodesAreShared) {
    EXPECT_EQ(slots({{1, 500}, {16, 500}}), "16:1 | ");
    EXPECT_EQ(slots({{1, 500}, {16, 500}}, true), "1:16+16:255 | ");
    EXPECT_EQ(slots({{16, 1000}}, true), "16:255+1:1 | ") << "they are kept beside the others";
    EXPECT_EQ(slots({}, true), "");
}

}  // namespace
}  // namespace nvl72block
