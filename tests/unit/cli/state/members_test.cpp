// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/members.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

const DocumentFacts facts{"state.json", 0};

/// What `action` says of the member "x" with that value.
template <typename Action>
std::string refusal(const char* value, const Action& action) {
    const auto json = nlohmann::json::parse(fmt::format(R"({{"x":{}}})", value));
    try {
        action(Members(json, facts, "jobs[12]"));
    } catch (const InputError& error) {
        const std::string text = error.what();
        return text.substr(0, text.find(';'));
    }
    return "";
}

TEST(Members, WhatIsNotThereHasNoValue) {
    const auto json = nlohmann::json::parse(R"({"n":null})");
    const Members members(json, facts, "document");
    for (const char* key : {"n", "x"}) {
        EXPECT_EQ(members.text(key), "");
        EXPECT_FALSE(members.flag(key));
        EXPECT_FALSE(members.find<std::uint32_t>(key));
        EXPECT_EQ(members.number<std::uint32_t>(key), 0U);
        EXPECT_FALSE(members.time(key));
        members.for_each(key, [](const Members&) { ADD_FAILURE(); });
        EXPECT_THROW((void)members.record(key), InputError);
    }
}

TEST(Members, AnotherKindOfValueIsRefused) {
    const auto number = [](const Members& members) { (void)members.find<std::uint32_t>("x"); };
    for (const char* value : {"-1", "4294967296", "1.5", "1e3", "\"7\"", "true", "[]", "{}"})
        EXPECT_EQ(refusal(value, number),
                  "state.json: jobs[12]: \"x\" is not a number from 0 to 4294967295");
    for (const char* value : {"7", "[]", "{}", "false"})
        EXPECT_EQ(refusal(value, [](const Members& members) { (void)members.text("x"); }),
                  "state.json: jobs[12]: \"x\" is not a text");
    for (const char* value : {"0", "\"true\"", "[]"})
        EXPECT_EQ(refusal(value, [](const Members& members) { (void)members.flag("x"); }),
                  "state.json: jobs[12]: \"x\" is neither true nor false");
    for (const char* value : {"18446744073709551615", "1e300", "-5", "253402300800"})
        EXPECT_NE(refusal(value, [](const Members& members) { (void)members.time("x"); }), "");
    const auto each = [](const Members& members) { members.for_each("x", [](const Members&) {}); };
    EXPECT_EQ(refusal("{}", each), "state.json: jobs[12]: \"x\" is not a list");
    EXPECT_EQ(refusal("[{},7]", each), "state.json: x[1] is not a record");
    EXPECT_EQ(refusal("7", [](const Members& members) { (void)members.record("x"); }),
              "state.json: x is not a record");
}

TEST(Members, TextsArePrintable) {
    const auto json = nlohmann::json::parse(R"({"x":"a\nb\u001b\u202e"})");
    const Members members(json, facts, "document");
    EXPECT_EQ(members.text("x"), "a\\x0ab\\x1b\\u202e");
    EXPECT_EQ(members.lines("x"), "a\nb\\x1b\\u202e");
}

}  // namespace
}  // namespace nvl72block::cli
