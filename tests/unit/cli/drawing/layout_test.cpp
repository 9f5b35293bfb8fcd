// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/layout.hpp"

#include <gtest/gtest.h>

#include "pictures.hpp"

namespace nvl72block::cli {
namespace {

Picture racks_of_18(std::size_t racks) {
    return picture_of(std::vector<std::string>(racks, std::string(18, '.')));
}

bool overlap(const Box& left, const Box& right) {
    return left.x < right.right() && right.x < left.right() && left.y < right.bottom() &&
           right.y < left.bottom();
}

TEST(Layout, FewRacksShareOneRow) {
    const Picture picture = racks_of_18(6);
    const Layout layout(picture);
    EXPECT_EQ(layout.racks_per_row(), 6U);
    EXPECT_TRUE(layout.names_upright());
    EXPECT_GE(layout.cell_width(), 100);
}

TEST(Layout, ManyRacksContinueInRowsOfWholeBlocks) {
    Picture picture = racks_of_18(512);
    picture.levels = {{36, 2}, {72, 4}, {144, 8}, {288, 16}};
    const Layout layout(picture);
    EXPECT_EQ(layout.racks_per_row() % 16, 0U);
    EXPECT_GE(layout.cell_width(), 10);
    EXPECT_GE(layout.cell_height(), 7);
    EXPECT_LE(layout.width(), Layout::page_width + 200);
}

TEST(Layout, BlocksLargerThanARowHaveNoBrackets) {
    Picture picture = racks_of_18(64);
    picture.levels = {{36, 2}, {72, 4}, {1152, 64}};
    const Layout layout(picture);
    EXPECT_LT(layout.racks_per_row(), 64U);
    EXPECT_EQ(layout.levels(), 2U);
    EXPECT_EQ(layout.rack(0).y, 2 * Layout::bracket_height);
}

TEST(Layout, NodesOverlapNeitherEachOtherNorNames) {
    for (const std::size_t racks : {1U, 6U, 72U, 513U, 2000U}) {
        Picture picture = racks_of_18(racks);
        picture.levels = {{72, 4}};
        const Layout layout(picture);
        for (std::size_t rack = 0; rack < racks; ++rack) {
            const Box box = layout.rack(rack);
            EXPECT_LE(box.right(), layout.width());
            EXPECT_LE(box.bottom(), layout.height());
            if (rack > 0) {
                EXPECT_FALSE(overlap(box, layout.rack(rack - 1)));
            }
            if (rack >= layout.racks_per_row()) {
                EXPECT_FALSE(overlap(box, layout.rack(rack - layout.racks_per_row())));
            }
            for (std::size_t node = 0; node < 18; ++node) {
                const Box cell = layout.node(rack, node);
                EXPECT_GE(cell.x, box.x);
                EXPECT_LE(cell.right(), box.right());
                EXPECT_GE(cell.y, box.y + layout.name_height());
                EXPECT_LE(cell.bottom(), box.bottom());
            }
        }
    }
}

TEST(Layout, LongRacksContinueInTheNextColumn) {
    const Picture picture = picture_of({std::string(72, '.'), std::string(10, '.')});
    const Layout layout(picture);
    EXPECT_GT(layout.node(0, 36).x, layout.node(0, 35).x);
    EXPECT_EQ(layout.node(0, 36).y, layout.node(0, 0).y);
    EXPECT_LT(layout.node(0, 71).right(), layout.node(1, 0).x);
}

TEST(Layout, EmptyPicturesAndRacksAreNoErrors) {
    const Layout none{Picture{}};
    EXPECT_EQ(none.height(), 0);
    const Picture picture = picture_of({"", "..", ""});
    const Layout layout(picture);
    EXPECT_GT(layout.width(), 0);
}

}  // namespace
}  // namespace nvl72block::cli
