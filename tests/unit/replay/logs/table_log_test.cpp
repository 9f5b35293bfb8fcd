// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/table_log.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace nvl72block::replay {
namespace {

TEST(TableLog, FindsCellsByTheirTitles) {
    std::istringstream stream("a,b\n1,\"x,y\"\n3,\n");
    LogLines lines(stream, "jobs.csv");
    ASSERT_TRUE(lines.next());
    TableLog table(lines, ',', Quotes::double_quotes);
    EXPECT_EQ(table.column("b"), 1U);
    EXPECT_EQ(table.column("c"), TableLog::missing);
    ASSERT_TRUE(table.next());
    EXPECT_EQ(table.cell(1), "x,y");
    ASSERT_TRUE(table.next());
    EXPECT_EQ(table.cell(1), "");
    EXPECT_FALSE(table.next());
}

TEST(TableLog, TakesQuotesAsTextWhereTheFormatHasNone) {
    std::istringstream stream("a|b\n\"1|2\"\n");
    LogLines lines(stream, "jobs.txt");
    ASSERT_TRUE(lines.next());
    TableLog table(lines, '|', Quotes::none);
    ASSERT_TRUE(table.next());
    EXPECT_EQ(table.cell(0), "\"1");
    EXPECT_EQ(table.cell(1), "2\"");
}

TEST(TableLog, RefusesLinesThatDoNotMatchTheHeader) {
    for (const char* line : {"1", "1,2,3", "\"1,2", "\"1\"x,2"}) {
        std::istringstream stream(std::string("a,b\n") + line + "\n");
        LogLines lines(stream, "jobs.csv");
        ASSERT_TRUE(lines.next());
        TableLog table(lines, ',', Quotes::double_quotes);
        EXPECT_THROW((void)table.next(), TraceError) << line;
    }
}

}  // namespace
}  // namespace nvl72block::replay
