// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/svg.hpp"

#include <gtest/gtest.h>

#include "pictures.hpp"

namespace nvl72block::cli {
namespace {

TEST(Svg, HasOneElementWithATitlePerNode) {
    const std::string svg = svg_document(picture_of({"AA.x", "BB#r", "du.."}));
    EXPECT_EQ(occurrences(svg, "<path class=\"n"), 12U);
    EXPECT_NE(svg.find("<title>r1n1 (rack1): job A</title>"), std::string::npos) << svg;
    EXPECT_NE(svg.find("<title>r1n3 (rack1): free</title>"), std::string::npos);
    EXPECT_NE(svg.find("<title>r1n4 (rack1): drained</title>"), std::string::npos);
    EXPECT_NE(svg.find("<title>r2n3 (rack2): busy</title>"), std::string::npos);
    EXPECT_NE(svg.find("<title>r2n4 (rack2): reserved</title>"), std::string::npos);
    EXPECT_NE(svg.find("<title>r3n1 (rack3): down</title>"), std::string::npos);
    EXPECT_NE(svg.find("<title>r3n2 (rack3): not available</title>"), std::string::npos);
}

TEST(Svg, TellsStatesByShape) {
    const std::string free = svg_document(picture_of({"...."}));
    for (const char* shape : {"\"o x\"", "\"o x l\"", "\"o x z\"", "\"o r\"", "\"o u\"", "\"n b\""})
        EXPECT_EQ(free.find(shape), std::string::npos) << shape;
    EXPECT_NE(svg_document(picture_of({"x..."})).find("\"o x\""), std::string::npos);
    EXPECT_NE(svg_document(picture_of({"d..."})).find("\"o x l\""), std::string::npos);
    EXPECT_NE(svg_document(picture_of({"r..."})).find("\"o r\""), std::string::npos);
    EXPECT_NE(svg_document(picture_of({"u..."})).find("\"o u\""), std::string::npos);
    EXPECT_NE(svg_document(picture_of({"#..."})).find("\"n b\""), std::string::npos);
    Picture draining = picture_of({"A..."});
    draining.racks[0].nodes[0].mark = NodeMark::drained;
    EXPECT_NE(svg_document(draining).find("\"o x z\""), std::string::npos);
}

TEST(Svg, ExplainsOnlyWhatOccurs) {
    const std::string svg = svg_document(picture_of({"A.x."}));
    EXPECT_NE(svg.find(">drained</text>"), std::string::npos);
    EXPECT_EQ(svg.find(">down</text>"), std::string::npos);
    EXPECT_EQ(svg.find(">reserved</text>"), std::string::npos);
    EXPECT_EQ(svg.find("clique"), std::string::npos);
}

TEST(Svg, DividesANodeOfSeveralJobs) {
    Picture picture = picture_of({"AB.."});
    picture.racks[0].nodes[0].jobs = {0, 1};
    picture.racks[0].nodes[1].partly = true;
    const std::string svg = svg_document(picture);
    EXPECT_NE(svg.find("r1n1 (rack1): jobs A, B<"), std::string::npos);
    EXPECT_NE(svg.find("r1n2 (rack1): job B, partly free<"), std::string::npos);
    EXPECT_NE(svg.find(">several jobs</text>"), std::string::npos);
    EXPECT_NE(svg.find(">partly free</text>"), std::string::npos);
}

TEST(Svg, ShowsCliquesByTheShapeOfABar) {
    Picture picture = picture_of({"...."});
    picture.racks[0].cliques = {"one.1", "two.2"};
    picture.racks[0].nodes[0].clique = picture.racks[0].nodes[1].clique = 0;
    picture.racks[0].nodes[2].clique = 1;
    const std::string svg = svg_document(picture);
    EXPECT_EQ(occurrences(svg, "<path class=\"q\""), 2U);  // legend and rack
    EXPECT_EQ(occurrences(svg, "<path class=\"q h\""), 2U);
    EXPECT_NE(svg.find("r1n3 (rack1): free, clique two.2"), std::string::npos);
    EXPECT_NE(svg.find("r1n4 (rack1): free<"), std::string::npos);
}

TEST(Svg, EscapesAllTexts) {
    Picture picture = picture_of({"A..x"});
    const std::string evil = "<script>&\"'\x01";
    picture.title = picture.jobs[0].name = picture.jobs[0].note = evil;
    picture.facts = picture.remarks = {evil};
    picture.racks[0].name = picture.racks[0].nodes[0].name = evil;
    picture.racks[0].nodes[3].note = evil;
    const std::string svg = svg_document(picture);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find('\x01'), std::string::npos);
    EXPECT_NE(svg.find("&lt;script&gt;&amp;&quot;&#39;"), std::string::npos);
}

TEST(Svg, FollowsTheReadersChoiceOfColoursAndLoadsNothing) {
    const std::string svg = svg_document(picture_of({"A.x."}));
    EXPECT_NE(svg.find("@media (prefers-color-scheme:dark)"), std::string::npos);
    EXPECT_EQ(svg.find("href"), std::string::npos);
    EXPECT_EQ(occurrences(svg, "http"), 1U);  // the name of the format
}

TEST(Svg, ListsTheLargestJobs) {
    Picture picture;
    for (std::size_t job = 0; job <= most_listed_jobs; ++job) {
        picture.jobs.push_back({"job" + std::to_string(job) + ".", ""});
        DrawnRack rack;
        rack.nodes.resize(job + 1);
        for (DrawnNode& node : rack.nodes) node.jobs = {static_cast<JobIndex>(job)};
        picture.racks.push_back(rack);
    }
    const std::string svg = svg_document(picture);
    EXPECT_NE(svg.find(">job1.: 2 nodes, 1 rack<"), std::string::npos);
    EXPECT_EQ(svg.find(">job0.: 1 node, 1 rack<"), std::string::npos);
    EXPECT_NE(svg.find(">and 1 smaller job<"), std::string::npos);
}

}  // namespace
}  // namespace nvl72block::cli
