// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/append_bounded.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "files/state_saver.hpp"
#include "folder.hpp"

namespace nvl72block {
namespace {

using testing::HasSubstr;

class AppendBounded : public FolderTest {
  protected:
    static constexpr std::size_t limit = 100;
    std::string append(const std::string& lines) {
        return append_bounded(at("log"), "head\n", lines, limit);
    }
};

TEST_F(AppendBounded, ANewFileBeginsWithTheHeadAndIsTheOwnersAlone) {
    EXPECT_EQ(append("one\n"), "");
    EXPECT_EQ(append("two\n"), "");
    EXPECT_EQ(content("log"), "head\none\ntwo\n");
    struct stat status {};
    ASSERT_EQ(::stat(at("log").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(AppendBounded, TheHeadIsNotWrittenTwice) {
    EXPECT_EQ(append("head\none\n"), "");
    EXPECT_EQ(content("log"), "head\none\n");
}

TEST_F(AppendBounded, AFileThatIsFullIsSetAsideInPlaceOfTheOneBefore) {
    for (int i = 0; i < 30; ++i) ASSERT_EQ(append("0123456789\n"), "");
    EXPECT_LE(content("log").size(), limit);
    EXPECT_LE(content("log.1").size(), limit);
    EXPECT_EQ(content("log").substr(0, 5), "head\n");
    EXPECT_EQ(files(), 2);
}

TEST_F(AppendBounded, WhatAKilledWriterLeftOfALineIsEnded) {
    (void)write("log", "head\ncut o");
    EXPECT_EQ(append("one\n"), "");
    EXPECT_EQ(content("log"), "head\ncut o\none\n");
}

TEST_F(AppendBounded, LinksFoldersAndFifosAreRefusedAndNotWaitedFor) {
    (void)write("other", "");
    std::filesystem::create_symlink(at("other"), at("log"));
    EXPECT_NE(append("one\n"), "");
    EXPECT_EQ(content("other"), "");
    std::filesystem::remove(at("log"));
    std::filesystem::create_directory(at("log"));
    EXPECT_THAT(append("one\n"), HasSubstr("log"));
    std::filesystem::remove(at("log"));
    ASSERT_EQ(::mkfifo(at("log").c_str(), 0600), 0);
    EXPECT_THAT(append("one\n"), HasSubstr("no regular file"));
}

TEST_F(AppendBounded, OfAFullDiskNothingIsLeft) {
    EXPECT_THAT(append_bounded("/dev/full", "", "one\n", limit), HasSubstr("no regular file"));
}

TEST_F(AppendBounded, TheSaverWritesLinesInTheirOrder) {
    StateSaver saver([](const auto&, const auto&) { return std::string(); },
                     std::chrono::minutes(1));
    std::string expected = "head\n";
    for (int i = 0; i < 200; ++i) {
        const std::string line = std::to_string(i) + "\n";
        expected += line;
        saver.append(at("log"), "head\n", line, 1U << 20, [](const std::string&) {});
    }
    saver.wait();
    EXPECT_EQ(content("log"), expected);
}

}  // namespace
}  // namespace nvl72block
