// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/printable.hpp"

#include <gtest/gtest.h>

#include "text/excerpt.hpp"

namespace nvl72block {
namespace {

TEST(Printable, LeavesTextAlone) {
    for (const char* text : {"", "node[001-018]", "zwölf 機 🜁", "a\\x1bb", "┌─┐"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsControls) {
    EXPECT_EQ(printable("\x1b]0;PWN\a\x1b[2J"), "\\x1b]0;PWN\\x07\\x1b[2J");
    EXPECT_EQ(printable(std::string("a\0b\n\r\tc", 7)), "a\\x00b\\x0a\\x0d\\x09c");
    EXPECT_EQ(printable("\x7f"), "\\u007f");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J"),
              "\\u009b2J");  // CSI in one character
}

TEST(Printable, ShowsWhatTurnsOrHidesText) {
    EXPECT_EQ(printable("\u202egnp.exe\u202c"), "\\u202egnp.exe\\u202c");
    EXPECT_EQ(printable("\u061c\u200e\u200f\u2066\u2069"), "\\u061c\\u200e\\u200f\\u2066\\u2069");
    EXPECT_EQ(printable("a\u200bb\u2028c\ufeff"), "a\\u200bb\\u2028c\\ufeff");
    EXPECT_EQ(printable("\U000e0041"), "\\udb40\\udc41");  // a tag: as JSON writes it
}

TEST(Printable, ShowsBytesThatAreNotUtf8) {
    EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
    EXPECT_EQ(printable("\x9b"), "\\x9b");                    // a byte of its own is no character
    EXPECT_EQ(printable("\xc0\xbc"), "\\xc0\\xbc");           // '<' in two bytes
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(printable("a\xe6\xa9"), "a\\xe6\\xa9");  // ends too early
}

TEST(Printable, LinesStay) {
    EXPECT_EQ(printable_lines("a\n\x1b\n"), "a\n\\x1b\n");
}

TEST(Excerpt, CutsBetweenCharacters) {
    EXPECT_EQ(excerpt("a\x1b"), "a\\x1b");
    std::string text(99, 'a');
    text += "機機";
    const std::string cut = excerpt(text);
    EXPECT_TRUE(cut.ends_with("a機...")) << cut;
    EXPECT_EQ(cut.size(), 99U + 3 + 3);
}

}  // namespace
}  // namespace nvl72block
