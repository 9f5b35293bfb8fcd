// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdlib>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

/// A folder first on PATH, whose scontrol prints the files of a snapshot.
class SnapshotTest : public testing::Test {
  protected:
    SnapshotTest() : path_(std::getenv("PATH")) {
        const std::string script = program_.file(
            "scontrol", "#!/bin/sh\nfor word; do kind=$word; done\nexec cat '" +
                            SnapshotText("##..x...........").write(state_) + "'/$kind.txt\n");
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        setenv("PATH", (program_.path() + ":" + path_).c_str(), 1);
    }
    SnapshotTest(const SnapshotTest&) = delete;
    SnapshotTest& operator=(const SnapshotTest&) = delete;
    ~SnapshotTest() override { setenv("PATH", path_.c_str(), 1); }

    std::string path_;
    Folder program_;
    Folder state_;
    Folder target_;
};

TEST_F(SnapshotTest, IsWhatTheClusterSays) {
    const std::string folder = target_.path() + "/monday";
    const Result saved = run_command({"snapshot", folder});
    EXPECT_EQ(saved.status, 0) << saved.err;
    EXPECT_EQ(saved.out, folder + ": eight at 2026-11-22 20:51, 16 nodes, 0 jobs\n");
    const Result live = run_command({"capacity"});
    EXPECT_EQ(live.status, 0) << live.err;
    EXPECT_EQ(live.out, run_command({"capacity", "--state", folder}).out);
    EXPECT_EQ(run_command({"snapshot", folder}).status, 0) << "a snapshot is replaced";
}

TEST_F(SnapshotTest, OverwritesNothingElse) {
    (void)target_.file("thesis", "text");
    EXPECT_EQ(run_command({"snapshot", target_.path()}).err,
              target_.path() + ": holds other files; name a new folder\n");
}

}  // namespace
}  // namespace nvl72block::cli
