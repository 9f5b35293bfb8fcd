// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/label_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>

namespace nvl72block {
namespace {

constexpr std::array<std::uint64_t, 2> nothing{};

/// The cost's second word of a key's label.
std::optional<std::uint64_t> cost_at(const LabelTable& table, const LabelKey& key) {
    const std::size_t at = table.find(key);
    if (at == LabelTable::none) return std::nullopt;
    return table.cost(at)[1];
}

class Collecting : public ::testing::TestWithParam<std::uint32_t> {};

// The widest key decides how labels are looked up: by position, or by hash where there are too
// many.
TEST_P(Collecting, KeepsTheCheapestLabelOfEachKeyInOrder) {
    LabelCollector collector(2);
    collector.start(0, {GetParam(), 3, 0});
    const auto offer = [&](const LabelKey& key, std::int64_t worth, std::uint64_t cost) {
        const std::array<std::uint64_t, 2> words{1, cost};
        collector.add(key, worth, words.data(), nothing.data());
    };
    offer({7, 2, 0}, 10, 5);
    offer({4, 3, 0}, 11, 9);
    offer({7, 2, 0}, 12, 4);
    offer({7, 2, 0}, 13, 6);
    offer({7, 1, 0}, 14, 1);
    const LabelTable table = collector.finish();
    ASSERT_EQ(table.size(), 3U);
    EXPECT_EQ(table.key(0), (LabelKey{4, 3, 0}));
    EXPECT_EQ(table.key(1), (LabelKey{7, 1, 0}));
    EXPECT_EQ(table.key(2), (LabelKey{7, 2, 0}));
    EXPECT_EQ(cost_at(table, {7, 2, 0}), 4U);
    EXPECT_EQ(table.worth(2), 12);
    EXPECT_EQ(cost_at(table, {7, 3, 0}), std::nullopt);
    EXPECT_EQ(cost_at(table, {5, 0, 0}), std::nullopt);
}

TEST_P(Collecting, StartsAnewForEachTable) {
    LabelCollector collector(2);
    collector.start(0, {GetParam(), 3, 0});
    collector.add({2, 0, 0}, 0, nothing.data(), nothing.data());
    (void)collector.finish();
    collector.start(0, {GetParam(), 3, 0});
    EXPECT_EQ(collector.finish().size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Widths, Collecting, ::testing::Values(8U, 1U << 20));

TEST(LabelTableTest, FindsRangesOfUnits) {
    LabelTable table;
    table.reserve(4, nothing.size());
    for (const std::uint32_t units : {3U, 3U, 5U, 9U})
        table.append({units, static_cast<std::uint32_t>(table.size()), 0}, 0, nothing.data());
    const auto range = [&](std::uint32_t from, std::uint32_t to) {
        return table.with_units(from, to);
    };
    EXPECT_EQ(range(0, 2), (std::pair<std::size_t, std::size_t>{0, 0}));
    EXPECT_EQ(range(0, 3), (std::pair<std::size_t, std::size_t>{0, 2}));
    EXPECT_EQ(range(4, 9), (std::pair<std::size_t, std::size_t>{2, 4}));
    EXPECT_EQ(range(6, 8).first, range(6, 8).second);
    EXPECT_EQ(range(10, 20).first, range(10, 20).second);
    EXPECT_EQ(LabelTable{}.with_units(0, 9), (std::pair<std::size_t, std::size_t>{0, 0}));
}

}  // namespace
}  // namespace nvl72block
