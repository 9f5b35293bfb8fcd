// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options over the C boundary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nvl72block/engine.h"
#include "two_racks.hpp"

namespace nvl72block::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StrEq;

TEST(CapiOptions, ValuesAreThoseInForce) {
    const OptionsHandle options = read_options("nvl72explain=OFF,Nvl72CliquePrefix=nvl-");
    EXPECT_TRUE(nvl72block_options_have(options.get(), "Nvl72Explain=off"));
    EXPECT_FALSE(nvl72block_options_have(options.get(), "Nvl72Explain=on"));
    EXPECT_THAT(nvl72block_options_value(options.get(), "Nvl72CliquePrefix"), StrEq("nvl-"));
    EXPECT_THAT(nvl72block_options_value(options.get(), "Nvl72Demand"), StrEq("auto"));
}

TEST(CapiOptions, NoOptionsAreTheDefaults) {
    EXPECT_TRUE(nvl72block_options_have(nullptr, "Nvl72Policy=demand"));
    EXPECT_THAT(nvl72block_options_value(nullptr, "Nvl72CliquePrefix"), StrEq(""));
    char all[512];
    char defaults[512];
    nvl72block_options_text(nullptr, all, sizeof all);
    nvl72block_options_text(read_options("").get(), defaults, sizeof defaults);
    EXPECT_THAT(all, StrEq(defaults));
}

TEST(CapiOptions, ThereIsNoOptionOfAnotherName) {
    for (const char* word : {"Nvl72Colour=red", "Nvl72Explain", "=on", "", "nvl72explain=on"})
        EXPECT_FALSE(nvl72block_options_have(nullptr, word)) << word;
    EXPECT_THAT(nvl72block_options_value(nullptr, "Nvl72Colour"), StrEq(""));
}

TEST(CapiOptions, ComplaintsArriveAsSentences) {
    std::vector<std::string> told;
    const auto tell = [](void* argument, const char* sentence) {
        static_cast<std::vector<std::string>*>(argument)->emplace_back(sentence);
    };
    const OptionsHandle options(
        nvl72block_options_read("Nvl72Explain=perhaps", tell, &told, nullptr));
    EXPECT_THAT(told, ElementsAre(HasSubstr("Nvl72Explain=perhaps is unknown, on is used")));
    EXPECT_TRUE(nvl72block_options_have(options.get(), "Nvl72Explain=on"));
}

TEST(CapiOptions, OnlyATopologySettlesThem) {
    const OptionsHandle options = read_options("Nvl72Clique=off");
    EXPECT_FALSE(nvl72block_options_settle(options.get(), nullptr));
    EXPECT_FALSE(nvl72block_options_settle(nullptr, two_racks().get()));
    EXPECT_TRUE(nvl72block_options_settle(options.get(), two_racks().get()));
    EXPECT_TRUE(nvl72block_options_have(options.get(), "Nvl72Clique=verify"));
}

}  // namespace
}  // namespace nvl72block::testing
