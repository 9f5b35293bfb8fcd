// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/node_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "dice.hpp"

namespace nvl72block {
namespace {

std::vector<NodeIndex> members(NodeSetView view) {
    std::vector<NodeIndex> out;
    view.for_each([&](NodeIndex node) { out.push_back(node); });
    return out;
}

TEST(NodeSetView, EmptyViewHasNoMembers) {
    const NodeSetView view;
    EXPECT_EQ(view.size(), 0U);
    EXPECT_EQ(view.count(), 0U);
    EXPECT_TRUE(view.empty());
    EXPECT_FALSE(view.test(0));
    EXPECT_EQ(view.word(0), 0U);
    EXPECT_EQ(view.count(0, 1000), 0U);
    EXPECT_TRUE(members(view).empty());
}

TEST(NodeSetView, IgnoresBitsBeyondItsSize) {
    const std::array<std::uint64_t, 2> words = {~std::uint64_t{0}, ~std::uint64_t{0}};
    const NodeSetView view(words.data(), 70);
    EXPECT_EQ(view.count(), 70U);
    EXPECT_EQ(view.word(0), ~std::uint64_t{0});
    EXPECT_EQ(view.word(1), 0x3fU);
    EXPECT_EQ(view.word(2), 0U);
    EXPECT_TRUE(view.test(69));
    EXPECT_FALSE(view.test(70));
    EXPECT_EQ(view.count(60, 1000), 10U);
    EXPECT_EQ(members(view).back(), 69U);
}

TEST(NodeSet, SetAndResetOneBit) {
    NodeSet set(130);
    for (const NodeIndex node : {0U, 63U, 64U, 129U}) {
        EXPECT_FALSE(set.test(node));
        set.set(node);
        EXPECT_TRUE(set.test(node));
    }
    EXPECT_EQ(members(set), (std::vector<NodeIndex>{0, 63, 64, 129}));
    set.reset(64);
    EXPECT_EQ(members(set), (std::vector<NodeIndex>{0, 63, 129}));
}

TEST(NodeSet, UniteWithALargerSetKeepsItsSize) {
    NodeSet small(10);
    NodeSet large(200);
    for (const NodeIndex node : {3U, 9U, 10U, 100U}) large.set(node);
    small.unite(large);
    EXPECT_EQ(members(small), (std::vector<NodeIndex>{3, 9}));
    EXPECT_EQ(small.words()[0], 0x208U);
}

TEST(NodeSet, CopyOfAViewDropsBitsBeyondItsSize) {
    const std::uint64_t word = ~std::uint64_t{0};
    NodeSet expected(3);
    for (const NodeIndex node : {0U, 1U, 2U}) expected.set(node);
    EXPECT_EQ(NodeSet(NodeSetView(&word, 3)), expected);
}

TEST(NodeSet, AgreesWithAPlainSet) {
    Dice dice(18);
    for (int round = 0; round < 300; ++round) {
        const NodeIndex size = 1 + dice.below(200);
        NodeSet set(size);
        NodeSet other(size);
        std::set<NodeIndex> plain;
        std::set<NodeIndex> plain_other;
        for (unsigned i = dice.below(2 * size); i > 0; --i) {
            const NodeIndex node = dice.below(size);
            set.set(node);
            plain.insert(node);
            other.set(size - 1 - node / 2);
            plain_other.insert(size - 1 - node / 2);
        }
        const NodeIndex begin = dice.below(size);
        const NodeIndex end = dice.below(size + 5);
        std::vector<NodeIndex> expected;
        for (const NodeIndex node : plain)
            if (node >= begin && node < end) expected.push_back(node);
        std::vector<NodeIndex> seen;
        set.view().for_each(begin, end, [&](NodeIndex node) { seen.push_back(node); });
        ASSERT_EQ(seen, expected) << begin << ' ' << end;
        ASSERT_EQ(set.view().count(begin, end), expected.size());

        const auto in_both = std::count_if(plain.begin(), plain.end(), [&](NodeIndex node) {
            return plain_other.count(node) == 1;
        });
        ASSERT_EQ(count_of_both(set, other), in_both);
        NodeSet joined = set;
        joined.unite(other);
        NodeSet left = set;
        left.subtract(other);
        for (NodeIndex node = 0; node < size; ++node) {
            ASSERT_EQ(joined.test(node), plain.count(node) + plain_other.count(node) > 0);
            ASSERT_EQ(left.test(node), plain.count(node) == 1 && plain_other.count(node) == 0);
        }
    }
}

}  // namespace
}  // namespace nvl72block
