// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/take_item.hpp"

#include <gtest/gtest.h>

namespace nvl72block {
namespace {

TEST(TakeItem, TakesOneAfterTheOther) {
    std::string_view list = "one,,three+four";
    EXPECT_EQ(take_item(list), "one");
    EXPECT_EQ(take_item(list), "");
    EXPECT_EQ(take_item(list, '+'), "three");
    EXPECT_EQ(take_item(list), "four");
    EXPECT_EQ(take_item(list), "");
    EXPECT_EQ(list, "");
}

}  // namespace
}  // namespace nvl72block
