// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/release.hpp"

#include <gtest/gtest.h>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

/// scontrol finds no slurmctld.
ProgramResult silent(const std::vector<std::string>&, const std::string&) {
    return {1, "slurm_load_ctl_conf error: Unable to contact slurm controller"};
}

TEST(Release, WithoutSlurmctldThePluginFolderIsTheOneThatHasSlurmsPlugins) {
    const Folder root;
    const fs::path debian = fs::path(root.path()) / "usr/lib/x86_64-linux-gnu/slurm-wlm";
    fs::create_directories(debian);
    fs::create_directories(fs::path(root.path()) / "usr/lib64/slurm");
    EXPECT_EQ(plugin_folder(silent, root.path()), std::nullopt);
    root.file("usr/lib/x86_64-linux-gnu/slurm-wlm/topology_block.so", "");
    EXPECT_EQ(plugin_folder(silent, root.path()), debian.string());
    // Two Slurms: nothing says which one is meant.
    root.file("usr/lib64/slurm/topology_block.so", "");
    EXPECT_EQ(plugin_folder(silent, root.path()), std::nullopt);
}

}  // namespace
}  // namespace nvl72block::cli
