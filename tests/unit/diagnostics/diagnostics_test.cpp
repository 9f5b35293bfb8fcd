// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/diagnostics.hpp"

#include <gtest/gtest.h>

#include "text/excerpt.hpp"

namespace nvl72block {
namespace {

TEST(DiagnosticText, NamesFileLineMessageAndRemedy) {
    EXPECT_EQ(to_string({Severity::error, "topology.conf", 3, "it is wrong", "right it"}),
              "topology.conf:3: it is wrong; right it");
}

TEST(DiagnosticText, LeavesOutWhatIsNotThere) {
    EXPECT_EQ(to_string({Severity::error, "topology.conf", 0, "no block", ""}),
              "topology.conf: no block");
    EXPECT_EQ(to_string({Severity::note, "", 0, "no block", "add one"}), "no block; add one");
    EXPECT_EQ(to_string({Severity::note, "", 7, "no block", ""}), "7: no block");
}

TEST(HasError, OnlyErrorsCount) {
    Diagnostics diagnostics;
    EXPECT_FALSE(has_error(diagnostics));
    diagnostics.push_back({Severity::note, "f", 1, "m", ""});
    diagnostics.push_back({Severity::warning, "f", 1, "m", ""});
    EXPECT_FALSE(has_error(diagnostics));
    diagnostics.push_back({Severity::error, "f", 1, "m", ""});
    EXPECT_TRUE(has_error(diagnostics));
}

TEST(Excerpt, MakesTextFitForOneLine) {
    EXPECT_EQ(excerpt("n[1-4]"), "n[1-4]");
    EXPECT_EQ(excerpt(std::string_view("a\0b\nc\x7f", 6)), "a\\x00b\\x0ac\\u007f");
    EXPECT_EQ(excerpt(std::string(100, 'n')), std::string(100, 'n'));
    EXPECT_EQ(excerpt(std::string(101, 'n')), std::string(100, 'n') + "...");
}

}  // namespace
}  // namespace nvl72block
