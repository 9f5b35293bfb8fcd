// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/candidate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <vector>

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using nvl72block::Candidate;
using nvl72block::surplus;
using nvl72block::weakest;

TEST(Surplus, EachGroupServesAsManyAsItHasRoomFor) {
    const std::vector<Candidate> candidates = {{.node = 0, .group = 0}, {.node = 1, .group = 1},
                                               {.node = 2, .group = 0}, {.node = 3, .group = 1},
                                               {.node = 4, .group = 0}, {.node = 5, .group = 1}};
    EXPECT_THAT(surplus(candidates, std::array{2U, 1U}), UnorderedElementsAre(4U, 3U, 5U));
    EXPECT_THAT(surplus(candidates, std::array{3U, 3U}), IsEmpty());
}

TEST(Surplus, AGroupWithoutRoomServesNone) {
    const std::vector<Candidate> candidates = {{.node = 0, .group = 0}, {.node = 1, .group = 7}};
    EXPECT_THAT(surplus(candidates, std::array{0U}), UnorderedElementsAre(0U, 1U));
    EXPECT_THAT(surplus(candidates, {}), UnorderedElementsAre(0U, 1U));
    EXPECT_THAT(surplus({}, {}), IsEmpty());
}

TEST(Surplus, TheRequiredComeFirstThenTheLightestThenMostGpusThenMostCpusThenTheLowestIndex) {
    const std::array room = {1U};
    const Candidate plain = {.node = 5, .weight = 2, .gpus = 2, .cpus = 8};
    const auto loses_to = [&](Candidate better) {
        return surplus({plain, better}, room) == std::vector{plain.node} &&
               surplus({better, plain}, room) == std::vector{plain.node};
    };
    EXPECT_TRUE(loses_to({.node = 9, .weight = 3, .gpus = 1, .cpus = 1, .required = true}));
    EXPECT_TRUE(loses_to({.node = 9, .weight = 1, .gpus = 1, .cpus = 1}));
    EXPECT_TRUE(loses_to({.node = 9, .weight = 2, .gpus = 3, .cpus = 1}));
    EXPECT_TRUE(loses_to({.node = 9, .weight = 2, .gpus = 2, .cpus = 9}));
    EXPECT_TRUE(loses_to({.node = 4, .weight = 2, .gpus = 2, .cpus = 8}));
    EXPECT_FALSE(loses_to({.node = 9, .weight = 2, .gpus = 2, .cpus = 8}));
}

TEST(Surplus, RequiredNodesUseTheRoomAndStayBeyondIt) {
    const std::vector<Candidate> candidates = {{.node = 0},
                                               {.node = 1, .required = true},
                                               {.node = 2, .required = true},
                                               {.node = 3, .required = true}};
    EXPECT_THAT(surplus(candidates, std::array{2U}), ElementsAre(0U));
}

TEST(Weakest, HasTheFewestGpusThenTheFewestCpusThenTheLowestIndex) {
    EXPECT_EQ(weakest(std::vector<Candidate>{{.node = 1, .gpus = 4, .cpus = 1},
                                             {.node = 2, .gpus = 3, .cpus = 9}}),
              2U);
    EXPECT_EQ(weakest(std::vector<Candidate>{{.node = 1, .gpus = 4, .cpus = 8},
                                             {.node = 2, .gpus = 4, .cpus = 7}}),
              2U);
    EXPECT_EQ(weakest(std::vector<Candidate>{{.node = 2, .gpus = 4, .cpus = 8},
                                             {.node = 1, .gpus = 4, .cpus = 8}}),
              1U);
}

TEST(Weakest, IsNoRequiredNode) {
    EXPECT_EQ(weakest(std::vector<Candidate>{{.node = 1, .gpus = 1, .required = true},
                                             {.node = 2, .gpus = 4}}),
              2U);
    EXPECT_EQ(weakest(std::vector<Candidate>{{.node = 1, .required = true}}), std::nullopt);
    EXPECT_EQ(weakest({}), std::nullopt);
}

}  // namespace
