// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/markup.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace nvl72block::cli {
namespace {

TEST(Markup, EscapesWhatEndsTextsAndAttributes) {
    EXPECT_EQ(escaped("a<b>&\"c\"'d'"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
    EXPECT_EQ(escaped("zwölf 機 🜁 x"), "zwölf 機 🜁 x");
}

TEST(Markup, ShowsWhatXmlCannotContain) {
    EXPECT_EQ(escaped(std::string("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(escaped("\x1b[31m\t"), "\\x1b[31m\\x09");
    EXPECT_EQ(escaped("\xc3<"), "\\xc3&lt;");       // ends too early, before markup
    EXPECT_EQ(escaped("\xef\xbf\xbf"), "\\uffff");  // no character of XML
    EXPECT_EQ(escaped("\u202e&"), "\\u202e&amp;");
}

TEST(Markup, JsonInAScriptDoesNotEndIt) {
    const nlohmann::ordered_json json = {{"name", "</script><b>&"}};
    const std::string text = script_json(json);
    EXPECT_EQ(text.find('<'), std::string::npos);
    EXPECT_EQ(nlohmann::ordered_json::parse(text), json);
}

TEST(Markup, JsonKeepsItsValueWhereTextIsEscaped) {
    const nlohmann::ordered_json json = {{"name", "a\x7f\u009b\u202e\U000e0041\x1b\n"}};
    const std::string text = script_json(json);
    EXPECT_EQ(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789\\\"{}:"), text.npos);
    EXPECT_EQ(nlohmann::ordered_json::parse(text), json);
}

TEST(Markup, ShortensByCharacters) {
    EXPECT_EQ(character_count("zwölf"), 5U);
    EXPECT_EQ(character_count("\xff\xff"), 2U);
    EXPECT_EQ(shortened("rack12", 6), "rack12");
    EXPECT_EQ(shortened("wörterbuch", 4), "wör…");
}

}  // namespace
}  // namespace nvl72block::cli
