// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/island_split.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "island_lists.hpp"

namespace nvl72block {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::uint64_t one_class[] = {0};

std::vector<std::uint32_t> split_of(std::span<const IslandOffer> offers, std::uint32_t unit_nodes,
                                    std::uint32_t nodes, const WeightOrder& order) {
    std::uint32_t most = 0;
    for (const IslandOffer& offer : offers) most += offer.free;
    IslandSplit split(unit_nodes, order, most);
    split.solve(offers, nodes / unit_nodes);
    std::vector<std::uint32_t> given;
    split.for_each(nodes / unit_nodes,
                   [&](std::size_t, std::uint32_t count) { given.push_back(count); });
    return given;
}

TEST(IslandSplit, TakesTheFewestIslandsThenTheTightest) {
    EXPECT_THAT(split_of(testing::islands_of({{9, 0}, {8, 0}}), 4, 8, {one_class, false}),
                ElementsAre(0, 8));
    EXPECT_THAT(split_of(testing::islands_of({{9, 0}, {4, 0}}), 4, 12, {one_class, false}),
                ElementsAre(8, 4));
    EXPECT_THAT(split_of(testing::islands_of({{9, 0}, {4, 1}}), 4, 4, {one_class, false}),
                ElementsAre(0, 4));
    EXPECT_THAT(split_of(testing::islands_of({{9, 0}, {5, 0}}), 5, 5, {one_class, false}),
                ElementsAre(0, 5));
}

TEST(IslandSplit, WeightComesFirst) {
    const std::vector<ClassOffer> first{{0, 0}, {4, 0}};
    const std::vector<ClassOffer> second{{5, 0}, {0, 0}};
    std::vector<IslandOffer> two = testing::islands_of({{4, 0}, {5, 0}});
    two[0].classes = first;
    two[1].classes = second;
    const std::uint64_t classes[] = {1, 7};
    EXPECT_THAT(split_of(two, 4, 4, {classes, false}), ElementsAre(0, 4));
    EXPECT_THAT(split_of(two, 4, 4, {classes, true}), ElementsAre(0, 4));
}

TEST(IslandSplit, IsEmptyWhereThereIsNoWay) {
    EXPECT_THAT(split_of(testing::islands_of({{3, 0}, {3, 0}}), 4, 4, {one_class, false}),
                IsEmpty());
}

/// What IslandOffers::split() promises: weight, islands used, nodes left over in them; the first
/// islands give most.
using Judged =
    std::tuple<std::vector<std::uint64_t>, std::size_t, std::uint32_t, std::vector<std::int64_t>>;

Judged judged(std::span<const IslandOffer> offers, const std::vector<std::uint32_t>& given,
              const WeightOrder& order) {
    std::vector<std::uint32_t> counts(order.classes.size());
    std::size_t used = 0;
    std::uint32_t left = 0;
    std::vector<std::int64_t> first;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        add_class_counts(offers[i].classes, given[i], counts);
        used += given[i] > 0 ? 1 : 0;
        left += given[i] > 0 ? offers[i].free - given[i] : 0;
        first.push_back(-std::int64_t{given[i]});
    }
    std::vector<std::uint64_t> weight;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        sum += counts[i] * order.classes[i];
        std::uint64_t heavier = 0;
        for (std::size_t j = i + 1; j < counts.size(); ++j) heavier += counts[j];
        weight.push_back(heavier);
    }
    return {order.total ? std::vector{sum} : weight, used, left, first};
}

/// All ways to give `units` units, the best of them; empty if there is none.
std::vector<std::uint32_t> best_of_all(std::span<const IslandOffer> offers,
                                       std::uint32_t unit_nodes, std::uint32_t units,
                                       const WeightOrder& order) {
    std::vector<std::uint32_t> best;
    std::vector<std::uint32_t> given;
    const std::function<void(std::uint32_t)> extend = [&](std::uint32_t left) {
        if (given.size() == offers.size()) {
            if (left > 0) return;
            if (best.empty() || judged(offers, given, order) < judged(offers, best, order))
                best = given;
            return;
        }
        const IslandOffer& offer = offers[given.size()];
        for (std::uint32_t more = 0; more <= left && more * unit_nodes <= offer.free; ++more) {
            if (more * unit_nodes < offer.required) continue;
            given.push_back(more * unit_nodes);
            extend(left - more);
            given.pop_back();
        }
    };
    extend(units);
    return best;
}

TEST(IslandSplit, IsTheBestOfAllWays) {
    std::mt19937 random(72);
    const auto below = [&](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    for (int trial = 0; trial < 3000; ++trial) {
        std::vector<std::uint64_t> classes;
        for (std::uint32_t i = 0; i <= below(16); ++i) classes.push_back(1 + i * (1 + below(9)));
        const std::uint32_t islands = 2 + below(3);
        std::vector<std::vector<ClassOffer>> of_island(islands);
        std::vector<IslandOffer> offers;
        for (std::uint32_t i = 0; i < islands; ++i) {
            IslandOffer offer{i, 1 + below(8), 0, {}};
            of_island[i].resize(classes.size());
            for (std::uint32_t node = 0; node < offer.free; ++node) {
                const bool required = below(8) == 0;
                offer.required += required ? 1 : 0;
                of_island[i][below(static_cast<std::uint32_t>(classes.size()))].add(required);
            }
            if (classes.size() > 1) offer.classes = of_island[i];
            offers.push_back(offer);
        }
        const std::uint32_t unit_nodes = 1 + below(4);
        for (const bool total : {false, true})
            for (std::uint32_t units = 0; units <= 4; ++units)
                ASSERT_EQ(split_of(offers, unit_nodes, units * unit_nodes, {classes, total}),
                          best_of_all(offers, unit_nodes, units, {classes, total}))
                    << "trial " << trial << ", units " << units << ", total " << total;
    }
}

}  // namespace
}  // namespace nvl72block
