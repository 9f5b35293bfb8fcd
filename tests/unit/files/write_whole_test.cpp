// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/write_whole.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "folder.hpp"

namespace nvl72block {
namespace {

namespace fs = std::filesystem;
using testing::MatchesRegex;

class WriteWhole : public FolderTest {
  protected:
    std::string write_state(const fs::path& path, const std::string& text) {
        return write_whole(path, text, Readers::owner);
    }
};

/// A umask for the length of a scope.
class Umask {
  public:
    explicit Umask(mode_t mask) : before_(::umask(mask)) {}
    ~Umask() { ::umask(before_); }
    Umask(const Umask&) = delete;
    Umask& operator=(const Umask&) = delete;

  private:
    mode_t before_;
};

TEST_F(WriteWhole, ReplacesAndLeavesNothingBehind) {
    EXPECT_EQ(write_state(at("file"), "first, and longer"), "");
    EXPECT_EQ(write_state(at("file"), "second"), "");
    EXPECT_EQ(content("file"), "second");
    EXPECT_EQ(files(), 1);
}

// They had mode 0644, where Slurm's own state has 0600.
TEST_F(WriteWhole, StateIsForItsOwnerAlone) {
    const Umask none(0);
    EXPECT_EQ(write_state(at("file"), "text"), "");
    EXPECT_EQ(mode("file"), 0600U);
    ASSERT_EQ(::chmod(at("file").c_str(), 0666), 0);
    EXPECT_EQ(write_state(at("file"), "text"), "");
    EXPECT_EQ(mode("file"), 0600U);
}

TEST_F(WriteWhole, OtherFilesHaveTheModeOfAnyNewFileAndKeepTheirs) {
    const Umask group(027);
    EXPECT_EQ(write_whole(at("file"), "text", Readers::usual), "");
    EXPECT_EQ(mode("file"), 0640U);
    ASSERT_EQ(::chmod(at("file").c_str(), 0664), 0);
    EXPECT_EQ(write_whole(at("file"), "text", Readers::usual), "");
    EXPECT_EQ(mode("file"), 0664U);
}

// A link at the draft's name was followed, and its target overwritten; one at the file's own name
// is replaced.
TEST_F(WriteWhole, NoLinkIsFollowed) {
    const fs::path victim = write("victim", "precious");
    fs::create_symlink("victim", at("file"));
    fs::create_symlink("victim", at("file.new"));
    EXPECT_EQ(write_state(at("file"), "text"), "");
    EXPECT_EQ(content("victim"), "precious");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(at("file"))));
    EXPECT_EQ(content("file"), "text");
}

// The demand's file once left its draft behind.
TEST_F(WriteWhole, RemovesTheDraftWhereItCannotTakeItsPlace) {
    fs::create_directories(at("file") / "inside");
    EXPECT_THAT(write_state(at("file"), "text"),
                MatchesRegex("cannot replace .*/file by .*/file.new-......: Is a directory"));
    EXPECT_EQ(files(), 1);
}

TEST_F(WriteWhole, FailsInAFolderThatIsNotThere) {
    EXPECT_THAT(
        write_state(at("nowhere") / "file", "text"),
        MatchesRegex("cannot create .*/nowhere/file.new-......: No such file or directory"));
}

TEST_F(WriteWhole, WhatKilledWritersLeftIsRemoved) {
    (void)write("file.new", "of an earlier version");
    (void)write("file.new-abcdef", "half a text");
    (void)write("file.newer", "of somebody else");
    (void)write("other.new-abcdef", "of somebody else");
    (void)write("file", "text");
    remove_drafts(at("file"));
    EXPECT_EQ(files(), 3);
    EXPECT_EQ(content("file"), "text");
}

}  // namespace
}  // namespace nvl72block
