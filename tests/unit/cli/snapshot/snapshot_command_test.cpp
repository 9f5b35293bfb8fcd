// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdlib>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

/// A directory first on PATH, whose nvl72block-records prints what a snapshot has.
class SnapshotTest : public testing::Test {
  protected:
    SnapshotTest() : path_(std::getenv("PATH")) {
        SnapshotText text("##..x...........");
        text.jobs = job_line({});
        const std::string folder = text.write(state_);
        add_program("nvl72block-records", "exec cat '" + folder + "'/state.json\n");
        setenv("PATH", (program_.path() + ":" + path_).c_str(), 1);
    }
    SnapshotTest(const SnapshotTest&) = delete;
    SnapshotTest& operator=(const SnapshotTest&) = delete;
    ~SnapshotTest() override { setenv("PATH", path_.c_str(), 1); }

    void add_program(const std::string& name, const std::string& lines) const {
        std::filesystem::permissions(program_.file(name, "#!/bin/sh\n" + lines),
                                     std::filesystem::perms::owner_all);
    }

    std::string path_;
    Folder program_;
    Folder state_;
    Folder target_;
};

TEST_F(SnapshotTest, IsWhatTheClusterSays) {
    const std::string folder = target_.path() + "/monday";
    const Result saved = run_command({"snapshot", folder});
    EXPECT_EQ(saved.status, 0) << saved.err;
    EXPECT_EQ(saved.out, folder + ": eight at 2026-11-22 20:51, 16 nodes, 1 job\n");
    const Result live = run_command({"capacity"});
    EXPECT_EQ(live.status, 0) << live.err;
    EXPECT_EQ(live.out, run_command({"capacity", "--state", folder}).out);
    EXPECT_EQ(run_command({"snapshot", folder}).status, 0) << "a snapshot is replaced";
}

TEST_F(SnapshotTest, OverwritesNothingElse) {
    (void)target_.file("thesis", "text");
    EXPECT_EQ(run_command({"snapshot", target_.path()}).err,
              target_.path() + ": contains files that are not a snapshot; pass a new directory\n");
}

}  // namespace
}  // namespace nvl72block::cli
