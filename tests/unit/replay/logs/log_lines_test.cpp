// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/log_lines.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "replay/logs/trace.hpp"

namespace nvl72block::replay {
namespace {

TEST(LogLines, CountsBlankLinesAndSkipsThem) {
    std::istringstream stream("\na\r\n  \nb");
    LogLines lines(stream, "jobs.txt");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.text(), "a");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.text(), "b");
    try {
        lines.fail("is wrong", "correct it");
    } catch (const TraceError& error) {
        EXPECT_STREQ(error.what(), "jobs.txt:4: is wrong; correct it");
    }
    EXPECT_FALSE(lines.next());
}

TEST(LogLines, ReadsDatesAndSeconds) {
    std::istringstream stream;
    const LogLines lines(stream, "jobs.txt");
    EXPECT_EQ(lines.time("1970-01-02 00:00:01", "Start"), 86401);
    EXPECT_EQ(lines.time("2026-03-01T12:30:15", "Start"), 1772368215);
    EXPECT_EQ(lines.time("1772368215", "Start"), 1772368215);
    for (const char* text : {"", "soon", "2026-02-30T00:00:00", "2026-01-01T24:00:00", "-5", "1e99",
                             "2026-01-01", "2026-01-01T00:00:00Z", "2026-01-01X00:00:00"})
        EXPECT_THROW((void)lines.time(text, "Start"), TraceError) << text;
}

TEST(LogLines, ShowsControlCharactersOfABadCellEscaped) {
    std::istringstream stream;
    const LogLines lines(stream, "jobs.txt");
    try {
        (void)lines.number("\x1b[31m", "duration");
        ADD_FAILURE();
    } catch (const TraceError& error) {
        EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
    }
}

/// The mark was a part of the first title: the column JobID was not found, and steps counted as
/// jobs.
TEST(LogLines, LeavesOutTheMarkThatWindowsWritesFirst) {
    std::istringstream stream("\xef\xbb\xbfJobID|Submit\n\xef\xbb\xbfx");
    LogLines lines(stream, "jobs.txt");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.text(), "JobID|Submit");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.text(), "\xef\xbb\xbfx");
}

/// A compressed log had "wrong quotation marks".
TEST(LogLines, NamesWhatIsNoText) {
    std::istringstream stream(std::string("\x1f\x8b\b\0\0", 5));
    LogLines lines(stream, "jobs.gz");
    try {
        (void)lines.next();
        ADD_FAILURE();
    } catch (const TraceError& error) {
        EXPECT_STREQ(error.what(),
                     "jobs.gz:1: is not a text file; decompress it, or save it as UTF-8");
    }
}

}  // namespace
}  // namespace nvl72block::replay
