// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/demand_history.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "text/seconds.hpp"

namespace nvl72block {
namespace {

constexpr std::array<std::uint32_t, 1> racks{18};

std::string text_of(const DemandHistory& history, std::int64_t time, double prior = 0) {
    return to_string(history.demand(time, {racks, prior, 0}));
}

TEST(DemandHistoryTest, BeginsWithThePrior) {
    EXPECT_EQ(text_of(DemandHistory(), 0, 100), "18:1");
    EXPECT_EQ(text_of(DemandHistory(), 0), "off");
    constexpr std::array<std::uint32_t, 2> levels{18, 36};
    EXPECT_EQ(to_string(DemandHistory().demand(0, {levels, 100, 0})), "36:0.5+18:0.5");
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
    history.add(day, {4, 50});
    EXPECT_EQ(text_of(history, day), "16:0.5+4:0.5");
    // The prior does not fade: a cluster without jobs comes back to it.
    EXPECT_EQ(text_of(history, 30 * day, 100), "18:1");
}

// A fifth of the node time in slots of 4 was left out once: 5 % longer waits.
TEST(DemandHistoryTest, KeepsSizesWithASmallShare) {
    DemandHistory history;
    history.add(0, {128, 80});
    history.add(0, {4, 20});
    EXPECT_EQ(text_of(history, 0), "128:0.8+4:0.2");
}

TEST(DemandHistoryTest, SlotsOfOneNodeNeedNoKeeping) {
    DemandHistory history;
    history.add(0, {16, 100});
    history.add(0, {1, 10000});
    EXPECT_EQ(text_of(history, 0), "16:1");
    constexpr std::array<std::uint32_t, 1> ones{1};  // BlockSizes=1
    EXPECT_EQ(to_string(DemandHistory().demand(0, {ones, 100, 18})), "1:1");
}

TEST(DemandHistoryTest, LeavesOutWhatOnlyTheWholeClusterHolds) {
    DemandHistory history;
    history.add(0, {73, 20});
    history.add(0, {72, 20});
    history.add(0, {16, 30});
    EXPECT_EQ(to_string(history.demand(0, {racks, 0, 72})), "72:0.4+16:0.6");
    EXPECT_EQ(to_string(history.demand(0, {racks, 0, 18})), "16:1");
}

TEST(DemandHistoryTest, ATimeThatWentBackIsTheLatest) {
    DemandHistory history(day);
    history.add(day, {16, 50});
    history.add(0, {4, 50});
    EXPECT_EQ(text_of(history, 0), "16:0.5+4:0.5");
    EXPECT_EQ(history.latest(), day);
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
}

TEST(DemandHistoryTest, ForgetsTheSmallestOfTooManySizes) {
    DemandHistory history;
    for (std::uint32_t nodes = 1; nodes <= 1000; ++nodes) history.add(0, {nodes, 1001.0 - nodes});
    EXPECT_EQ(history.entries().size(), DemandHistory::most_sizes);
    EXPECT_EQ(history.entries().front().nodes, 1U);
}

TEST(DemandHistoryTest, ARunIsWhatCountingItAllTheWhileWouldHaveFound) {
    constexpr std::int64_t end = 9 * day;
    DemandHistory counted;
    for (std::int64_t time = 2 * day + minute; time <= end; time += minute)
        counted.add(time, {16, 32.0 * minute});
    const DemandHistory::Run run{32, 2 * day, end};
    EXPECT_NEAR(DemandHistory().amount_of(run, end) / counted.amount(end), 1, 1e-4);
    const std::int64_t later = end + 14 * day;
    EXPECT_NEAR(DemandHistory().amount_of(run, later) / counted.amount(end), 0.5, 1e-4);
    EXPECT_EQ(DemandHistory().amount_of({32, 5, 5}, end), 0);
}

}  // namespace
}  // namespace nvl72block
