// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "../command.hpp"
#include "readers.hpp"

namespace nvl72block {
namespace {

const std::string log =
    "===NVSMI LOG===\nGPU 0\n    Fabric\n        State : Completed\n"
    "        Status : Success\n        CliqueId : 32766\n"
    "        ClusterUUID : " +
    clique_a.substr(0, 36) + "\n";

std::string read(const std::vector<std::string>& paths) {
    Diagnostics diagnostics;
    const Inventory inventory = read_inventory_files(paths, "", diagnostics);
    std::string findings;
    for (const Diagnostic& diagnostic : diagnostics) findings += to_string(diagnostic) + "\n";
    return findings.empty() ? describe(inventory) : findings;
}

TEST(ReadFiles, ADirectoryIsReadInTheOrderOfItsNames) {
    const cli::Folder folder;
    for (const char* name : {"n2.log", "n1.txt", "n3.example.org", "n4.out"})
        static_cast<void>(folder.file(name, log));
    EXPECT_EQ(read({folder.path()}), "n1=" + clique_a + " n2=" + clique_a +
                                         " n3.example.org=" + clique_a + " n4=" + clique_a);
}

TEST(ReadFiles, SeveralFilesOfDifferentKinds) {
    const cli::Folder folder;
    EXPECT_EQ(read({folder.file("n9", log), folder.file("rest", "n1 " + clique_b)}),
              "n9=" + clique_a + " n1=" + clique_b);
}

TEST(ReadFiles, WhatCannotBeRead) {
    const cli::Folder folder;
    EXPECT_EQ(read({folder.path()}), folder.path() +
                                         ": the directory has no files; save the "
                                         "output of nvidia-smi -q there, one file per host\n");
    EXPECT_EQ(read({folder.path() + "/none"}),
              folder.path() +
                  "/none: cannot be read: No such file or directory; pass a file that "
                  "exists and can be read\n");
    const std::string large = folder.file("large", "");
    std::filesystem::resize_file(large, (std::uintmax_t{1} << 30) + 1);  // a hole, not bytes
    EXPECT_EQ(read({large}),
              large + ": the file is larger than 1 GiB; pass the saved output of one tool\n");
}

TEST(ReadFiles, LeavesOutTheMarkThatWindowsWritesFirst) {
    const cli::Folder folder;
    EXPECT_EQ(read({folder.file("nodes.txt", "\xef\xbb\xbfn1 " + clique_a)}), "n1=" + clique_a);
}

}  // namespace
}  // namespace nvl72block
