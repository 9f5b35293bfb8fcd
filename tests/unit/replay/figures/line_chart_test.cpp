// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/figures/line_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nvl72block::replay {
namespace {

TEST(LineChart, DrawsALineAndALegendEntryForEachName) {
    const Chart chart{"Load <now>", "days", "percent", 100, {{"a", {{0, 0}, {10, 50}}}, {"b", {}}}};
    const std::string svg = svg_document("A & B", {chart});
    EXPECT_THAT(svg, testing::StartsWith("<svg "));
    EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
    EXPECT_THAT(svg, testing::HasSubstr("A &amp; B"));
    EXPECT_THAT(svg, testing::HasSubstr("Load &lt;now&gt;"));
    EXPECT_THAT(svg, testing::HasSubstr("points=\"70.0,310.0 930.0,210.0 \""));
    EXPECT_THAT(svg, testing::HasSubstr(">100</text>"));
}

TEST(LineChart, SurvivesChartsWithoutPoints) {
    EXPECT_THAT(svg_document("", {Chart{}}), testing::EndsWith("</svg>\n"));
    EXPECT_THAT(svg_document("", {}), testing::EndsWith("</svg>\n"));
    const std::string svg = svg_document("", {{"", "", "", 0, {{"zero", {{0, 0}, {0, 0}}}}}});
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace nvl72block::replay
