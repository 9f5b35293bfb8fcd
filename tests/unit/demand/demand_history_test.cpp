// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/demand_history.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace nvl72block {
namespace {

constexpr double day = 24 * 3600;

std::string text_of(const DemandHistory& history, std::int64_t time, double prior = 0) {
    return to_string(history.demand(time, {18, prior, 0}));
}

TEST(DemandHistoryTest, BeginsWithThePrior) {
    EXPECT_EQ(text_of(DemandHistory(), 0, 100), "18:1");
    EXPECT_EQ(text_of(DemandHistory(), 0), "off");
}

TEST(DemandHistoryTest, SharesAreThoseOfTheAmounts) {
    DemandHistory history;
    history.add(0, {16, 300});
    history.add(0, {8, 100});
    EXPECT_EQ(text_of(history, 0), "16:0.75+8:0.25");
    EXPECT_EQ(text_of(history, 0, 200), "18:0.333+16:0.5+8:0.167");
}

TEST(DemandHistoryTest, HalvesWhatCameAHalfLifeAgo) {
    DemandHistory history(day);
    history.add(0, {16, 100});
    history.add(static_cast<std::int64_t>(day), {4, 50});
    EXPECT_EQ(text_of(history, static_cast<std::int64_t>(day)), "16:0.5+4:0.5");
    // The prior does not fade: a cluster without jobs comes back to it.
    EXPECT_EQ(text_of(history, static_cast<std::int64_t>(30 * day), 100), "18:1");
}

TEST(DemandHistoryTest, LeavesOutWhatHardlyMatters) {
    DemandHistory history;
    history.add(0, {16, 100});
    history.add(0, {4, 40});  // small jobs find room anyway
    EXPECT_EQ(text_of(history, 0), "16:1");
    history.add(0, {2, 10000});  // however many: larger ones do not
    EXPECT_EQ(text_of(history, 0), "16:0.01+2:0.99");
}

TEST(DemandHistoryTest, SlotsOfOneNodeNeedNoKeeping) {
    DemandHistory history;
    history.add(0, {16, 100});
    history.add(0, {1, 10000});
    EXPECT_EQ(text_of(history, 0), "16:1");
    EXPECT_EQ(to_string(DemandHistory().demand(0, {1, 100, 18})), "1:1");  // BlockSizes=1
}

TEST(DemandHistoryTest, LeavesOutWhatNoBaseBlockHolds) {
    DemandHistory history;
    history.add(0, {64, 20});
    history.add(0, {16, 30});
    history.add(0, {18, 10});
    EXPECT_EQ(to_string(history.demand(0, {18, 0, 18})), "18:0.25+16:0.75");
}

// Where jobs of several racks want most, slots of 4 beside 30 % services made their waits longer.
TEST(DemandHistoryTest, WhatNoBaseBlockHoldsCountsAgainstSmallerSizes) {
    DemandHistory history;
    history.add(0, {64, 300});
    history.add(0, {16, 30});
    EXPECT_EQ(to_string(history.demand(0, {18, 0, 18})), "off");
}

std::string beside(std::uint32_t nodes, double amount, double first_day) {
    DemandHistory history;
    history.add(0, {16, 80, 80});  // large jobs may come and go
    history.add(0, {nodes, amount, first_day});
    return to_string(history.demand(0, {18, 0, 18}));
}

// A sixth of the node-seconds: 1.5 times the two of 18 nodes that a slot of 16 leaves over.
TEST(DemandHistoryTest, KeepsNoSlotsBesideJobsThatComeAndGo) {
    EXPECT_EQ(beside(1, 20, 16), "16:1");
    EXPECT_EQ(beside(1, 20, 17), "off");
    EXPECT_EQ(beside(2, 20, 17), "off");  // no slots of 2 instead
    EXPECT_EQ(beside(16, 20, 17), "16:1");
    EXPECT_EQ(beside(18, 20, 20), "18:0.2+16:0.8");
}

// Slots of 9 leave nothing over on 18 nodes: then nothing is lost by what comes and goes.
TEST(DemandHistoryTest, SlotsThatFillTheBlockAreKeptInAnyCase) {
    DemandHistory history;
    history.add(0, {9, 50, 0});
    history.add(0, {1, 50, 50});
    EXPECT_EQ(to_string(history.demand(0, {18, 0, 18})), "9:1");
}

TEST(DemandHistoryTest, ATimeThatWentBackIsTheLatest) {
    DemandHistory history(day);
    history.add(static_cast<std::int64_t>(day), {16, 50});
    history.add(0, {4, 50});
    EXPECT_EQ(text_of(history, 0), "16:0.5+4:0.5");
    EXPECT_EQ(history.latest(), static_cast<std::int64_t>(day));
}

TEST(DemandHistoryTest, IsRestoredFromItsAmounts) {
    DemandHistory history(day);
    history.add(100, {16, 30});
    history.add(200, {4, 10});
    DemandHistory other(day);
    other.restore(history.latest(), history.entries());
    EXPECT_EQ(other.latest(), 200);
    EXPECT_EQ(text_of(other, 5000), text_of(history, 5000));
    other.restore(0, {});
    EXPECT_TRUE(other.empty());
}

TEST(DemandHistoryTest, NonsenseIsIgnored) {
    DemandHistory history;
    history.add(0, {0, 10});
    history.add(0, {16, 0});
    history.add(0, {16, -3});
    history.add(0, {16, std::numeric_limits<double>::infinity()});
    history.add(0, {16, std::numeric_limits<double>::quiet_NaN()});
    EXPECT_TRUE(history.empty());
    for (const double first_day : {-5.0, 50.0, std::numeric_limits<double>::quiet_NaN()})
        history.add(0, {16, 10, first_day});
    EXPECT_EQ(history.entries().front().first_day, 10);  // no more than the amount
}

TEST(DemandHistoryTest, ForgetsTheSmallestOfTooManySizes) {
    DemandHistory history;
    for (std::uint32_t nodes = 1; nodes <= 1000; ++nodes) history.add(0, {nodes, 1001.0 - nodes});
    EXPECT_EQ(history.entries().size(), DemandHistory::most_sizes);
    EXPECT_EQ(history.entries().front().nodes, 1U);
}

}  // namespace
}  // namespace nvl72block
