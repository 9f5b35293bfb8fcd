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

Diagnostic finding(Severity severity, const std::string& message = "m") {
    return {severity, "f", 1, message, ""};
}

TEST(Diagnostics, OfEachSeveritySoManyAreKeptAndTheOthersCounted) {
    Diagnostics list;
    for (std::size_t i = 0; i < Diagnostics::most; ++i) list.push_back(finding(Severity::warning));
    EXPECT_TRUE(list.is_full(Severity::warning));
    EXPECT_FALSE(list.is_full(Severity::error));
    list.push_back(finding(Severity::warning));
    EXPECT_EQ(to_string(list.back()), "f: 1 more warning is not shown; correct those above first");
    list.push_back(finding(Severity::error, "an error is not hidden by warnings"));
    list.push_back(finding(Severity::warning));
    EXPECT_EQ(list.size(), Diagnostics::most + 2);
    EXPECT_EQ(list[Diagnostics::most].message, "2 more warnings are not shown");
    EXPECT_EQ(list.back().message, "an error is not hidden by warnings");
}

TEST(Diagnostics, WhatAnotherListCountedIsCounted) {
    Diagnostics first, second;
    for (std::size_t i = 0; i < Diagnostics::most + 10; ++i) {
        first.push_back(finding(Severity::error));
        second.push_back(finding(Severity::error));
    }
    first.append(std::move(second));
    EXPECT_EQ(first.size(), Diagnostics::most + 1);
    EXPECT_EQ(first.back().message,
              std::to_string(Diagnostics::most + 20) + " more errors are not shown");
}

TEST(Diagnostics, AlsoTheirSizeIsLimited) {
    Diagnostics list;
    for (int i = 0; i < 10; ++i)
        list.push_back(
            finding(Severity::error, std::string(Diagnostics::most_characters / 2, 'x')));
    EXPECT_EQ(list.size(), 3U);
    EXPECT_EQ(list.back().message, "8 more errors are not shown");
}

TEST(Excerpt, MakesTextFitForOneLine) {
    EXPECT_EQ(excerpt("n[1-4]"), "n[1-4]");
    EXPECT_EQ(excerpt(std::string_view("a\0b\nc\x7f", 6)), "a\\x00b\\x0ac\\u007f");
    EXPECT_EQ(excerpt(std::string(100, 'n')), std::string(100, 'n'));
    EXPECT_EQ(excerpt(std::string(101, 'n')), std::string(100, 'n') + "...");
}

}  // namespace
}  // namespace nvl72block
