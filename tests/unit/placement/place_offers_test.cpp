// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/place_offers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nvl72block {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<PlaceOffer> offers(
    std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> list) {
    std::vector<PlaceOffer> offers;
    for (const auto& [free, required] : list)
        offers.push_back({static_cast<std::uint32_t>(offers.size()), free, required, {}, {}});
    return offers;
}

const std::uint64_t one_class[] = {0};
constexpr PlaceRule segments_of_four{true, false, 4};
constexpr PlaceRule one_place{true, true, 1};

TEST(PlaceRange, CountsWholeSegmentsAPlace) {
    const UnitRange range = place_range(offers({{9, 0}, {7, 1}}), segments_of_four);
    EXPECT_EQ(range.least, 1U);
    EXPECT_EQ(range.most, 3U);
}

TEST(PlaceRange, RequiredNodesWhereNoSegmentFitsCannotBeServed) {
    const UnitRange range = place_range(offers({{9, 0}, {3, 1}}), segments_of_four);
    EXPECT_GT(range.least, range.most);
}

TEST(PlaceRange, RequiredNodesInTwoPlacesLeaveNoSinglePlace) {
    const UnitRange range = place_range(offers({{9, 1}, {9, 1}}), one_place);
    EXPECT_GT(range.least, range.most);
    EXPECT_EQ(place_range(offers({{4, 0}, {9, 0}}), one_place).most, 9U);
}

TEST(SplitByPlace, TakesTheFewestPlacesThenTheTightest) {
    EXPECT_THAT(split_by_place(offers({{9, 0}, {8, 0}}), segments_of_four, 8, one_class, false),
                ElementsAre(0, 8));
    EXPECT_THAT(split_by_place(offers({{9, 0}, {4, 0}}), segments_of_four, 12, one_class, false),
                ElementsAre(8, 4));
    EXPECT_THAT(split_by_place(offers({{9, 0}, {4, 1}}), segments_of_four, 4, one_class, false),
                ElementsAre(0, 4));
    EXPECT_THAT(split_by_place(offers({{9, 0}, {5, 0}}), one_place, 5, one_class, false),
                ElementsAre(0, 5));
}

TEST(SplitByPlace, WeightComesFirst) {
    std::vector<PlaceOffer> two = offers({{4, 0}, {5, 0}});
    two[0].class_free = {0, 4};
    two[1].class_free = {5, 0};
    two[0].class_required = two[1].class_required = {0, 0};
    const std::uint64_t classes[] = {1, 7};
    EXPECT_THAT(split_by_place(two, one_place, 4, classes, false), ElementsAre(0, 4));
    EXPECT_THAT(split_by_place(two, one_place, 4, classes, true), ElementsAre(0, 4));
}

TEST(SplitByPlace, IsEmptyWhereThereIsNoWay) {
    EXPECT_THAT(split_by_place(offers({{3, 0}, {3, 0}}), segments_of_four, 4, one_class, false),
                IsEmpty());
    EXPECT_THAT(split_by_place(offers({{3, 0}, {3, 0}}), one_place, 4, one_class, false),
                IsEmpty());
}

}  // namespace
}  // namespace nvl72block
