// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/write_whole.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace nvl72block {
namespace {

namespace fs = std::filesystem;

class WriteWhole : public ::testing::Test {
  protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    }

    const fs::path folder_ = fs::path(::testing::TempDir()) / "write_whole";
};

TEST_F(WriteWhole, ReplacesAndLeavesNothingBehind) {
    EXPECT_TRUE(write_whole(folder_ / "file", "first, and longer"));
    EXPECT_TRUE(write_whole(folder_ / "file", "second"));
    std::ifstream stream(folder_ / "file");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "second");
    EXPECT_EQ(files(), 1);
}

// The demand's file once left its draft behind.
TEST_F(WriteWhole, RemovesTheDraftWhereItCannotTakeItsPlace) {
    fs::create_directories(folder_ / "file" / "inside");
    EXPECT_FALSE(write_whole(folder_ / "file", "text"));
    EXPECT_EQ(files(), 1);
}

TEST_F(WriteWhole, FailsInAFolderThatIsNotThere) {
    EXPECT_FALSE(write_whole(folder_ / "nowhere" / "file", "text"));
}

}  // namespace
}  // namespace nvl72block
