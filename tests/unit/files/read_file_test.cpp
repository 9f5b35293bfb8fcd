// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/read_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "folder.hpp"

namespace nvl72block {
namespace {

namespace fs = std::filesystem;

class ReadFile : public FolderTest {
  protected:
    /// Why it is not read; the empty string for a success.
    std::string failure(const fs::path& path, std::size_t longest = 1000) {
        const auto result = read_file(path, longest, text_);
        return result ? result->reason : "";
    }

    std::string text_;
};

TEST_F(ReadFile, AllOfAFileAndOfTheTargetOfALink) {
    const std::string zeros("a\0b\n", 4);
    const fs::path file = write("file", zeros);
    EXPECT_EQ(failure(file), "");
    EXPECT_EQ(text_, zeros);
    fs::create_symlink("file", at("link"));
    EXPECT_EQ(failure(at("link")), "");
    EXPECT_EQ(text_, zeros);
    EXPECT_EQ(failure(write("empty", "")), "");
    EXPECT_EQ(text_, "");
}

// A FIFO as topology.conf froze slurmctld in `scontrol reconfigure`: to open one waits for a
// writer.
TEST_F(ReadFile, AFifoIsRefusedAndNotWaitedFor) {
    ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0600), 0);
    EXPECT_EQ(failure(at("fifo")), "it is a FIFO, not a regular file");
    fs::create_symlink("fifo", at("link"));
    EXPECT_EQ(failure(at("link")), "it is a FIFO, not a regular file");
}

TEST_F(ReadFile, ADirectoryADeviceAndASocketAreRefused) {
    EXPECT_EQ(failure(at("")), "it is a directory, not a regular file");
    EXPECT_EQ(failure("/dev/zero"), "it is a character device, not a regular file");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // the path of a socket is short: it is made from within the folder
    const fs::path before = fs::current_path();
    fs::current_path(at(""));
    std::strncpy(address.sun_path, "socket", sizeof address.sun_path - 1);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    fs::current_path(before);
    EXPECT_EQ(failure(at("socket")), "it is a socket, not a regular file");
    ::close(socket);
}

TEST_F(ReadFile, NothingADanglingLinkAndACircleAreToldApart) {
    const auto nothing = read_file(at("nothing"), 10, text_);
    ASSERT_TRUE(nothing);
    EXPECT_TRUE(nothing->absent);
    EXPECT_EQ(nothing->reason, "No such file or directory");
    fs::create_symlink("nowhere", at("dangling"));
    const auto dangling = read_file(at("dangling"), 10, text_);
    ASSERT_TRUE(dangling);
    EXPECT_FALSE(dangling->absent);
    EXPECT_EQ(dangling->reason, "it is a link to nowhere, which does not exist");
    fs::create_symlink("circle", at("circle"));
    const auto circle = read_file(at("circle"), 10, text_);
    ASSERT_TRUE(circle);
    EXPECT_FALSE(circle->absent);
    EXPECT_EQ(circle->reason, "it is a link that leads back to itself");
}

TEST_F(ReadFile, ALongFileIsRefusedWithBothSizes) {
    EXPECT_EQ(failure(write("file", std::string(1000, 'x'))), "");
    EXPECT_EQ(failure(write("file", std::string(1001, 'x'))),
              "it has 1001 bytes, more than the 1000 that are read");
}

// The size that the kernel tells of such a file is 0.
TEST_F(ReadFile, AFileThatIsLongerThanItSaysIsRefused) {
    EXPECT_EQ(failure("/proc/self/maps", 100), "it has more than 100 bytes");
}

TEST_F(ReadFile, WhatMayNotBeReadIsNamed) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const fs::path file = write("file", "text");
    ASSERT_EQ(::chmod(file.c_str(), 0), 0);
    EXPECT_EQ(failure(file), "Permission denied");
}

}  // namespace
}  // namespace nvl72block
