// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/html.hpp"

#include <gtest/gtest.h>

#include "pictures.hpp"

namespace nvl72block::cli {
namespace {

TEST(Html, HasTheDrawingAndARowPerJob) {
    const std::string html = html_page(picture_of({"AAB.", "A.x."}));
    EXPECT_EQ(html.substr(0, 15), "<!DOCTYPE html>");
    EXPECT_EQ(occurrences(html, "<path class=\"n"), 8U);
    EXPECT_EQ(occurrences(html, "<tr data-job="), 2U);
    EXPECT_NE(html.find("</td><td>A</td><td class=\"num\">3</td><td class=\"num\">2</td>"),
              std::string::npos);
}

TEST(Html, EscapesAllTextsAndItsData) {
    Picture picture = picture_of({"A..x"});
    const std::string evil = "</script><img src=x onerror=alert(1)>\"'&";
    picture.title = picture.jobs[0].name = picture.jobs[0].note = evil;
    picture.facts = picture.remarks = {evil};
    picture.racks[0].name = picture.racks[0].nodes[0].name = evil;
    const std::string html = html_page(picture);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_EQ(occurrences(html, "</script>"), 2U);  // those of the page
}

TEST(Html, LoadsNothing) {
    const std::string html = html_page(picture_of({"A.x."}));
    EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
    for (const char* word : {" src=", "href=", "@import", "fetch(", "XMLHttp"})
        EXPECT_EQ(html.find(word), std::string::npos) << word;
}

TEST(Html, AClusterWithoutJobsHasNoTable) {
    const std::string html = html_page(picture_of({"...."}));
    EXPECT_EQ(html.find("<table"), std::string::npos);
}

}  // namespace
}  // namespace nvl72block::cli
