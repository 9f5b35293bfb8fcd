// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace nvl72block {

/// A test with an empty folder of its own.
class FolderTest : public ::testing::Test {
  protected:
    FolderTest()
        : folder_(std::filesystem::path(::testing::TempDir()) /
                  (std::string("nvl72block-") +
                   ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~FolderTest() override { std::filesystem::remove_all(folder_); }
    FolderTest(const FolderTest&) = delete;
    FolderTest& operator=(const FolderTest&) = delete;

    [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] std::filesystem::path write(const std::string& name,
                                              const std::string& text) const {
        std::ofstream(at(name), std::ios::binary) << text;
        return at(name);
    }
    [[nodiscard]] std::string content(const std::string& name) const {
        std::ifstream stream(at(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(std::filesystem::directory_iterator(folder_),
                             std::filesystem::directory_iterator());
    }
    [[nodiscard]] mode_t mode(const std::string& name) const {
        struct stat status {};
        EXPECT_EQ(::lstat(at(name).c_str(), &status), 0);
        return status.st_mode & 07777U;
    }

  private:
    const std::filesystem::path folder_;
};

}  // namespace nvl72block
