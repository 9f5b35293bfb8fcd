// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/markup.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace nvl72block::cli {
namespace {

TEST(Markup, EscapesWhatEndsTextsAndAttributes) {
    EXPECT_EQ(escaped("a<b>&\"c\"'d'"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
    EXPECT_EQ(escaped("zwölf 機 🜁\tx"), "zwölf 機 🜁\tx");
}

TEST(Markup, ReplacesWhatXmlCannotContain) {
    const std::string replaced = "\xEF\xBF\xBD";
    EXPECT_EQ(escaped(std::string("a\0b", 3)), "a" + replaced + "b");
    EXPECT_EQ(escaped("\x1b[31m"), replaced + "[31m");
    EXPECT_EQ(escaped("\x7f"), replaced);
    EXPECT_EQ(escaped("\xc3"), replaced);                                // ends too early
    EXPECT_EQ(escaped("\xc3<"), replaced + "&lt;");                      // the same before markup
    EXPECT_EQ(escaped("\xff\x80"), replaced + replaced);                 // no first byte
    EXPECT_EQ(escaped("\xc0\xbc"), replaced + replaced);                 // '<' in two bytes
    EXPECT_EQ(escaped("\xed\xa0\x80"), replaced + replaced + replaced);  // a surrogate
    EXPECT_EQ(escaped("\xef\xbf\xbf"), replaced);                        // U+FFFF
    EXPECT_EQ(escaped("\xf4\x90\x80\x80"), replaced + replaced + replaced + replaced);
}

TEST(Markup, JsonInAScriptDoesNotEndIt) {
    const nlohmann::ordered_json json = {{"name", "</script><b>&"}};
    const std::string text = script_json(json);
    EXPECT_EQ(text.find('<'), std::string::npos);
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
