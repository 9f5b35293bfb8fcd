// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/options.hpp"

#include <gmock/gmock.h>

namespace nvl72block {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct Parsed {
    Options options;
    std::vector<std::string> findings;
};

Parsed parse(std::string_view text) {
    Parsed parsed;
    parsed.options = parse_options(text, parsed.findings);
    return parsed;
}

TEST(Options, WithoutWordsOfOursTheFirstValuesAreInForce) {
    const Options defaults;
    for (const char* text : {"", "BlockAsNodeRank", "TopoOptional,SwitchAsNodeRank", ",, ,"}) {
        const auto [options, findings] = parse(text);
        EXPECT_THAT(findings, IsEmpty()) << text;
        for (const auto& [key, values] : option_names()) {
            const std::string_view expected =
                values.empty() ? value_of(defaults, key) : values.front();
            EXPECT_EQ(value_of(options, key), expected) << key;
        }
        EXPECT_EQ(options.clique_prefix, "");
        EXPECT_EQ(options.demand, "auto");
        EXPECT_THAT(to_string(options),
                    AllOf(StartsWith("Nvl72Policy=demand "), EndsWith(" Nvl72Demand=auto")));
    }
}

TEST(Options, WordsAreReadInAnyCaseAndBetweenThoseOfSlurm) {
    const auto [options, findings] = parse(
        "BlockAsNodeRank,nvl72policy=COMPACT Nvl72Clique=derive,Nvl72NewBlocks=on,"
        "Nvl72Fragmentation=usable,Nvl72Aggregate=name,Nvl72Explain=OFF,Nvl72Shadow=ON,"
        "Nvl72CliquePrefix=Nvl-,"
        "NVL72Demand=Off");
    EXPECT_THAT(findings, IsEmpty());
    EXPECT_THAT(
        to_string(options),
        StartsWith("Nvl72Policy=compact Nvl72Fragmentation=usable Nvl72Clique=derive "
                   "Nvl72Aggregate=name Nvl72NewBlocks=on Nvl72Explain=off Nvl72Shadow=on"));
    EXPECT_THAT(to_string(options), EndsWith(" Nvl72CliquePrefix=Nvl- Nvl72Demand=off"));
    EXPECT_EQ(options.clique_prefix, "Nvl-");
}

TEST(Options, AnUnknownValueLeavesTheDefaultAndIsNamed) {
    const auto [options, findings] = parse("Nvl72Clique=perhaps,Nvl72Policy,Nvl72NewBlocks=");
    EXPECT_EQ(options.cliques, CliqueMode::verify);
    EXPECT_THAT(findings,
                ElementsAre("TopologyParam: Nvl72Clique=perhaps is unknown, verify is used; write "
                            "Nvl72Clique=verify or enforce or derive or off",
                            "TopologyParam: Nvl72Policy= is unknown, demand is used; write "
                            "Nvl72Policy=demand or pack or compact",
                            "TopologyParam: Nvl72NewBlocks= is unknown, off is used; write "
                            "Nvl72NewBlocks=off or on"));
}

TEST(Options, AnUnknownKeyIsNamedWithThoseThatThereAre) {
    EXPECT_THAT(parse("Nvl72Colour=red").findings,
                ElementsAre(AllOf(StartsWith("TopologyParam: Nvl72Colour is unknown and ignored; "
                                             "the options are Nvl72Policy, Nvl72Fragmentation, "),
                                  EndsWith(", Nvl72CliquePrefix, Nvl72Demand"))));
    EXPECT_EQ(value_of({}, "Nvl72Colour").data(), nullptr);
}

TEST(Options, WhatIsQuotedIsPrintable) {
    std::vector<std::string> findings;
    (void)parse_options("Nvl72Policy=a\x1b[2J\nb Nvl72\x07 Nvl72Demand=\x1b", findings);
    EXPECT_THAT(findings,
                ElementsAre(HasSubstr("Nvl72Policy=a\\x1b[2J\\x0ab is unknown"),
                            HasSubstr("Nvl72\\x07 is unknown"), HasSubstr("Nvl72Demand=\\x1b: ")));
}

TEST(Options, APrefixIsOneTo63Characters) {
    const std::string longest(63, 'p');
    EXPECT_EQ(parse("Nvl72CliquePrefix=" + longest).options.clique_prefix, longest);
    const Parsed longer = parse("Nvl72CliquePrefix=" + longest + "p");
    EXPECT_EQ(longer.options.clique_prefix, "");
    EXPECT_THAT(longer.findings,
                ElementsAre("TopologyParam: Nvl72CliquePrefix=" + longest +
                            "p is too long, no prefix is used; write a text of 1 to 63 letters"));
    EXPECT_THAT(parse("Nvl72CliquePrefix=").findings,
                ElementsAre("TopologyParam: Nvl72CliquePrefix= is empty, no prefix is used; write "
                            "a text of 1 to 63 letters"));
}

TEST(Options, ValuesByName) {
    EXPECT_EQ(value_named(policy_values, "compact"), Policy::compact);
    EXPECT_EQ(value_named(policy_values, "Compact"), std::nullopt);
    EXPECT_EQ(join_names(aggregation_values, ", "), "position, name");
}

TEST(Options, ADemandIsReadAsStated) {
    const auto [options, findings] = parse("Nvl72Policy=demand,Nvl72Demand=16:0.8+4:0.2");
    EXPECT_THAT(findings, IsEmpty());
    EXPECT_EQ(options.policy, Policy::demand);
    EXPECT_EQ(options.demand, "16:0.8+4:0.2");
}

TEST(Options, ADemandThatCannotBeReadIsQuotedAndLearnedInstead) {
    for (const std::string value : {"", "sixteen", "16:0.8+", "0:1", "16:-1"}) {
        const auto [options, findings] = parse("Nvl72Demand=" + value);
        EXPECT_EQ(options.demand, "auto");
        EXPECT_THAT(findings, ElementsAre(AllOf(
                                  StartsWith("TopologyParam: Nvl72Demand=" + value + ": "),
                                  HasSubstr("auto is used; write auto, off or sizes of slots"))));
    }
    const auto [options, findings] = parse("Nvl72Demand=" + std::string(300, '1'));
    EXPECT_THAT(findings, ElementsAre(HasSubstr("longer than 255 letters; auto is used")));
}

}  // namespace
}  // namespace nvl72block
